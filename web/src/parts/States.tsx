/** What a page shows when there is nothing to show, or when it could not be had. */

import type { ReactNode } from "react"
import { explain } from "../api/problems"
import { Icon } from "./Icon"

interface EmptyProps {
  title: string
  children?: ReactNode
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="state">
      <p className="state-title">{title}</p>
      {children}
    </div>
  )
}

interface FailedProps {
  what: string
  problem: unknown
  retry: () => void
  busy?: boolean
}

export function Failed({ what, problem, retry, busy }: FailedProps) {
  return (
    <div className="state failed" role="alert">
      <p className="state-title">
        <Icon name="warning" />
        {what}
      </p>
      <p>{explain(problem)}</p>
      <button type="button" className="button" onClick={retry} disabled={busy}>
        <Icon name="again" />
        Try again
      </button>
    </div>
  )
}
