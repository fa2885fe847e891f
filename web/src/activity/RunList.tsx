/** Runs, newest first, of one channel or of all, with how long the last of them took. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { runsQuery } from "../api/activity-queries"
import { useLoadError } from "../api/load-error"
import type { RunStatus } from "../api/types"
import { LoadMore } from "../components/LoadMore"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState, StaleBanner } from "../components/States"
import { isUnderWay, RUN_STATUS_LABELS } from "../domain/runs"
import { counted } from "../text/numbers"
import { RunDurations } from "./RunDurations"
import { RunRow } from "./RunRow"
import "../components/Skeletons.css"
import "./RunDurations.css"
import "./RunRow.css"

interface Props {
  channelId?: string
  status?: RunStatus | null
  /** True if the channel says that a run is under way: it may be newer than the list. */
  running?: boolean
}

export function RunList({ channelId, status = null, running = false }: Props) {
  const query = useInfiniteQuery(runsQuery({ channelId, status }, running))
  const loadError = useLoadError(query)
  const runs = query.data?.pages.flatMap((page) => page.items)
  if (loadError) return <ErrorState title="Couldn’t load the runs" error={loadError} retry={query.refetch} />
  if (!runs) {
    return (
      <>
        <div className="skeleton durations-outline" aria-hidden="true" />
        <RowsSkeleton />
      </>
    )
  }
  const live = runs.filter(isUnderWay).length
  return (
    <>
      <StaleBanner error={query.error} />
      <p className="visually-hidden" role="status">
        {live ? `${counted(live, "run", "runs")} under way` : "No run under way"}
      </p>
      {runs.length === 0 && !query.hasNextPage && (
        <EmptyState title={status ? `No run is “${RUN_STATUS_LABELS[status].toLowerCase()}”` : "No runs yet"}>
          {!status && (
            <p className="soft">A run is listed here when a channel is added, checked or run again.</p>
          )}
        </EmptyState>
      )}
      {runs.length > 0 && (
        <>
          <RunDurations runs={runs} />
          <ol className="run-list" aria-label="Runs, newest first">
            {runs.map((run) => (
              <RunRow key={run.id} run={run} withChannel={channelId === undefined} />
            ))}
          </ol>
        </>
      )}
      <LoadMore query={query} label="Load older runs" />
    </>
  )
}
