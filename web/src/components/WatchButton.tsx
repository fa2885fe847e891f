/** Watches a stock or a channel, or no longer: alerts can be narrowed to what is watched. */

import { useQuery } from "@tanstack/react-query"
import { useWatch } from "../api/alert-mutations"
import { watchlistQuery } from "../api/alert-queries"
import { describeError } from "../api/errors"
import { isWatched, type Watched } from "../record/watchlist"
import { notify } from "./notices"

interface Props {
  what: Watched
  name: string
}

export function WatchButton({ what, name }: Props) {
  const list = useQuery(watchlistQuery())
  const watch = useWatch()
  // What was pressed shows at once.
  const pressed = watch.isPending ? watch.variables.isWatched : isWatched(list.data, what)
  const toggle = () =>
    watch.mutate(
      { what, isWatched: !pressed },
      { onError: (error) => notify(describeError(error), { isError: true }) },
    )
  return (
    <button
      type="button"
      className="button quiet icon-only watch"
      aria-pressed={pressed}
      aria-label={`Watch ${name}`}
      title={pressed ? `You watch ${name}` : `Watch ${name}`}
      disabled={!list.data && !list.error}
      onClick={() => !watch.isPending && toggle()}
    >
      <svg className="icon star" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
        <path d="M10 2.6l2.3 4.7 5.2.7-3.8 3.6.9 5.1L10 14.3l-4.6 2.4.9-5.1L2.5 8l5.2-.7Z" />
      </svg>
    </button>
  )
}
