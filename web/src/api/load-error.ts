import type { UseQueryResult } from "@tanstack/react-query"
import { useRef } from "react"

/** The error that keeps a view empty. It stays while the request is repeated, so the page does not flicker. */
export function useLoadError(query: Pick<UseQueryResult, "data" | "error">): Error | null {
  const last = useRef<Error | null>(null)
  if (query.error) last.current = query.error
  else if (query.data !== undefined) last.current = null
  return query.data === undefined ? last.current : null
}

/** Returns the queries whose error leaves a view empty; a failed refresh does not count. */
export function failuresOf<Query extends Pick<UseQueryResult, "data" | "error">>(
  queries: readonly Query[],
): Query[] {
  return queries.filter(({ data, error }) => error !== null && data === undefined)
}
