/** The change log of a channel's record, newest first. Entries are never removed. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { changesQuery } from "../api/evidence-queries"
import { useLoadError } from "../api/load-error"
import type { Change } from "../api/types"
import { LoadMore } from "../components/LoadMore"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { formatTimestamp } from "../text/dates"
import { CHANGE_LABELS } from "./changes"
import "./ChangesTab.css"

export default function ChangesTab({ channelId }: { channelId: string }) {
  const changes = useInfiniteQuery(changesQuery(channelId))
  const loadError = useLoadError(changes)
  const items = changes.data?.pages.flatMap((page) => page.items)
  if (loadError) {
    return <ErrorState title="Couldn’t load the change log" error={loadError} retry={changes.refetch} />
  }
  if (!items) return <RowsSkeleton />
  return (
    <section aria-label="Change log">
      <p className="soft tab-intro">
        What was changed after a video had been read: by people, by a new reading, or because prices or dates
        were restated. Nobody can take a line out.
      </p>
      {items.length === 0 && (
        <EmptyState title="Nothing was changed">
          <p className="soft">The record is as it was when its videos were first read.</p>
        </EmptyState>
      )}
      {items.length > 0 && (
        <ol className="card flat changes">
          {items.map((change) => (
            <Line key={change.id} channelId={channelId} change={change} />
          ))}
        </ol>
      )}
      <LoadMore query={changes} label="Load older changes" />
    </section>
  )
}

function Line({ channelId, change }: { channelId: string; change: Change }) {
  return (
    <li>
      <time dateTime={change.created_at}>{formatTimestamp(change.created_at)}</time>
      <span className={`badge change-${change.kind}`}>{CHANGE_LABELS[change.kind]}</span>
      <div className="change-what">
        <p dir="auto">{change.message}</p>
        <p className="soft change-by">
          {change.changed_by && (
            <span>
              By <bdi>{change.changed_by}</bdi>
            </span>
          )}
          {change.ticker && (
            <Link
              className="touch"
              href={`/channels/${channelId}/stocks/${encodeURIComponent(change.ticker)}`}
            >
              {change.ticker} in this channel
            </Link>
          )}
        </p>
      </div>
    </li>
  )
}
