import type { UseInfiniteQueryResult } from "@tanstack/react-query"
import "./LoadMore.css"

interface Props {
  query: Pick<UseInfiniteQueryResult, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">
  label: string
}

/** The button below a list that has another page. */
export function LoadMore({ query, label }: Props) {
  if (!query.hasNextPage) return null
  return (
    <div className="more">
      <button
        type="button"
        className="button"
        disabled={query.isFetchingNextPage}
        onClick={() => query.fetchNextPage()}
      >
        {query.isFetchingNextPage ? "Loading…" : label}
      </button>
    </div>
  )
}
