/** The videos that mention stocks, newest first, a page at a time. The filters are part of the URL. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { memo } from "react"
import { Link } from "wouter"
import { useLoadError } from "../api/load-error"
import { timelineQuery } from "../api/queries"
import type { ChannelStock, Mention, TimelineEntry, Video } from "../api/types"
import { ExternalLink } from "../components/ExternalLink"
import { KindBar, KindChip } from "../components/Kind"
import { LoadMore } from "../components/LoadMore"
import { Published } from "../components/Published"
import { RemovedNote } from "../components/RemovedNote"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { countKinds, KINDS } from "../domain/kinds"
import { MentionQuote } from "../review/MentionQuote"
import { ReviewBadge } from "../review/ReviewBadge"
import { isRejected } from "../review/reviews"
import { WhatWasSaid } from "../review/WhatWasSaid"
import { WrongReading } from "../review/WrongReading"
import { counted, formatPrice } from "../text/numbers"
import { TimelineFilters } from "./TimelineFilters"
import "./TimelineTab.css"

interface Props {
  channelId: string
  running: boolean
  stocks: readonly ChannelStock[]
}

const NO_FILTER = { kind: null, ticker: null, date: null }

export function TimelineTab({ channelId, running, stocks }: Props) {
  const [search, change] = useUrlState()
  const filter = {
    kind: KINDS.find((each) => each === search.get("kind")) ?? null,
    ticker: stocks.find(({ ticker }) => ticker === search.get("ticker"))?.ticker ?? null,
    date: dayIn(search.get("date")),
  }
  const timeline = useInfiniteQuery(timelineQuery(channelId, filter, running))
  const loadError = useLoadError(timeline)
  const entries = timeline.data?.pages.flatMap((page) => page.items)

  if (!stocks.length) {
    return (
      <EmptyState title={running ? "No videos yet" : "No video mentions a stock"}>
        {running && <p className="soft">Videos appear here as they are read.</p>}
      </EmptyState>
    )
  }
  return (
    <section aria-label="Timeline">
      <TimelineFilters stocks={stocks} filter={filter} onChange={(part) => change({ ...part })} />
      {loadError && (
        <ErrorState title="Couldn’t load the timeline" error={loadError} retry={timeline.refetch} />
      )}
      {!entries && !loadError && <RowsSkeleton />}
      <p className="visually-hidden" role="status">
        {entries && `${counted(entries.length, "video", "videos")} shown`}
      </p>
      {entries?.length === 0 && !timeline.hasNextPage && (
        <EmptyState title="No matching videos">
          <button type="button" className="button" onClick={() => change(NO_FILTER)}>
            Clear filters
          </button>
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <ol className="timeline" aria-label="Videos, newest first">
          {entries.map((entry) => (
            <Entry key={entry.video.id} channelId={channelId} entry={entry} />
          ))}
        </ol>
      )}
      <LoadMore query={timeline} label="Load older videos" />
    </section>
  )
}

/** The day in a URL, unless it is not one. */
function dayIn(text: string | null): string | null {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}

const Entry = memo(function Entry({ channelId, entry }: { channelId: string; entry: TimelineEntry }) {
  const { video, mentions } = entry
  return (
    <li className="entry">
      <div className="entry-side">
        <Published video={video} />
        <KindBar counts={countKinds(mentions.filter((mention) => !isRejected(mention)))} />
      </div>
      <div className="entry-main">
        <h2 className="entry-title" dir="auto">
          <ExternalLink address={video.removed_at ? null : video.url}>{video.title}</ExternalLink>
        </h2>
        <RemovedNote removedAt={video.removed_at} />
        <ul className="entry-mentions">
          {mentions.map((mention) => (
            <MentionRow key={mention.id} channelId={channelId} mention={mention} video={video} />
          ))}
        </ul>
      </div>
    </li>
  )
})

interface RowProps {
  channelId: string
  mention: Mention
  video: Video
}

function MentionRow({ channelId, mention, video }: RowProps) {
  return (
    <li className="mention-row">
      <span className="mention-call">
        <KindChip kind={mention.sentiment} isRejected={isRejected(mention)} />
        <Link
          href={`/channels/${channelId}/stocks/${encodeURIComponent(mention.ticker)}`}
          className="ticker touch"
        >
          {mention.ticker}
        </Link>
        <span className="mention-price" data-term="price_then">
          {mention.price_at_mention !== null && formatPrice(mention.price_at_mention)}
        </span>
      </span>
      <div className="mention-words">
        <MentionQuote mention={mention} video={video} />
        <WhatWasSaid said={mention} address={video.removed_at ? null : video.url} />
        <span className="call-evidence">
          <ReviewBadge call={mention} />
          <WrongReading
            place={{ channelId, videoId: mention.video_id, ticker: mention.ticker }}
            isReviewed={mention.review !== null}
          />
        </span>
      </div>
    </li>
  )
}
