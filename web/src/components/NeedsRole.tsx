/** Offers only what the reader's role allows; in place of the rest stands the reason. */

import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useStoredToken } from "../api/access-token"
import { meQuery } from "../api/people-queries"
import type { Role } from "../api/types"
import { refusalOf } from "../domain/roles"

interface Props {
  needed: Role
  children: ReactNode
  /** Leaves the reason out, where it is given beside it. */
  quiet?: boolean
}

export function NeedsRole({ needed, children, quiet = false }: Props) {
  const refusal = useRefusal(needed)
  if (refusal === null) return children
  return quiet ? null : <p className="soft">{refusal}</p>
}

/** Why the reader may not do what needs a role. Without a token that is for the server to say. */
export function useRefusal(needed: Role): string | null {
  const token = useStoredToken()
  const me = useQuery({ ...meQuery(), enabled: token !== null })
  return refusalOf(needed, me.data?.role)
}
