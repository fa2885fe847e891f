/** Watches a stock or a channel, or no longer: alerts can be narrowed to what is watched. */

import { useQuery } from "@tanstack/react-query"
import { useWatch } from "../api/alert-mutations"
import { watchlistQuery } from "../api/alert-queries"
import { describeError } from "../api/errors"
import { isWatched, type Watched } from "../domain/watchlist"
import { Icon } from "./Icon"
import { notify } from "./notices"
import "./WatchButton.css"

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
      <Icon name="star" />
    </button>
  )
}
