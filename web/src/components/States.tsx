/** The empty and error states of a view. */

import { useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { requestToken, storedToken } from "../api/access-token"
import { describeError, isTransient, needsToken } from "../api/errors"
import { Icon } from "./Icon"
import "./States.css"

interface EmptyProps {
  title: string
  children?: ReactNode
}

export function EmptyState({ title, children }: EmptyProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  )
}

interface ErrorProps {
  title: string
  error: unknown
  retry: () => void
  busy?: boolean
}

export function ErrorState({ title, error, retry, busy }: ErrorProps) {
  if (needsToken(error)) return <SignInState title={title} />
  return (
    <div className="state failed" role="alert">
      <p className="state-title">
        <Icon name="warning" />
        {title}
      </p>
      <p>
        {describeError(error)} {isTransient(error) && "Retrying…"}
      </p>
      <button type="button" className="button" onClick={retry} disabled={busy}>
        <Icon name="again" />
        Try again
      </button>
    </div>
  )
}

/** For a deployment that shows nothing without a token. What else was refused is read again with it. */
function SignInState({ title }: { title: string }) {
  const client = useQueryClient()
  const enter = async () => {
    if (await requestToken(storedToken() !== null)) await client.resetQueries()
  }
  return (
    <EmptyState title={title}>
      <p className="soft">This needs an access token.</p>
      <button type="button" className="button" onClick={enter}>
        Enter the token
      </button>
    </EmptyState>
  )
}

/** Above data that could not be refreshed. */
export function StaleBanner({ error }: { error: unknown }) {
  if (!error || !isTransient(error)) return null
  return (
    <p className="banner problem" role="status">
      <Icon name="warning" />
      <span>{describeError(error)} Retrying…</span>
    </p>
  )
}
