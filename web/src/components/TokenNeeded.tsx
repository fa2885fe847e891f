/** In place of what is a person's own, where the API keeps it for those with a token. */

import type { UseQueryResult } from "@tanstack/react-query"
import { withTokenAsked } from "../api/client"
import { EmptyState } from "./States"

interface Props {
  title: string
  query: Pick<UseQueryResult, "refetch">
}

export function TokenNeeded({ title, query }: Props) {
  const read = () => query.refetch({ throwOnError: true })
  return (
    <EmptyState title={title}>
      <button type="button" className="button" onClick={() => withTokenAsked(read).catch(() => null)}>
        Enter the token
      </button>
    </EmptyState>
  )
}
