/** The videos that speak of stocks, newest first, with what they say. */

import type { UseQueryResult } from "@tanstack/react-query"
import { memo, useDeferredValue } from "react"
import { Link } from "wouter"
import type { Mention, TimelineEntry } from "../api/types"
import { ExternalLink } from "../parts/ExternalLink"
import { CallsBar, KindChip } from "../parts/Kind"
import { Quote } from "../parts/Quote"
import { RowsSkeleton } from "../parts/Skeletons"
import { Empty, Failed } from "../parts/States"
import { countKinds } from "../record/kinds"
import { formatDay } from "../text/dates"
import { formatPrice } from "../text/numbers"

interface Props {
  channelId: string
  running: boolean
  timeline: UseQueryResult<TimelineEntry[]>
}

const NONE: TimelineEntry[] = []
/** More than a screen holds: these are drawn at once, the rest of hundreds a moment later. */
const AT_ONCE = 30

export function TimelineTab({ channelId, running, timeline }: Props) {
  const entries = timeline.data ?? NONE
  const drawn = useDeferredValue(entries, entries.slice(0, AT_ONCE))
  if (timeline.isPending) return <RowsSkeleton />
  if (timeline.error && !timeline.data) {
    return (
      <Failed what="The timeline could not be loaded" problem={timeline.error} retry={timeline.refetch} />
    )
  }
  if (!timeline.data.length) {
    return (
      <Empty title={running ? "No video so far" : "No video speaks of a stock"}>
        {running && <p className="soft">Videos appear here as they are read.</p>}
      </Empty>
    )
  }
  return (
    <ol className="timeline" aria-label="Videos, newest first">
      {drawn.map((entry) => (
        <Entry key={entry.video.id} channelId={channelId} entry={entry} />
      ))}
    </ol>
  )
}

const Entry = memo(function Entry({ channelId, entry }: { channelId: string; entry: TimelineEntry }) {
  const { video, mentions } = entry
  return (
    <li className="entry">
      <div className="entry-side">
        <time dateTime={video.published_at}>{formatDay(video.published_at)}</time>
        <CallsBar counts={countKinds(mentions)} />
      </div>
      <div className="entry-main">
        <h2 className="entry-title" dir="auto">
          <ExternalLink address={video.url}>{video.title}</ExternalLink>
        </h2>
        <ul className="entry-calls">
          {mentions.map((mention) => (
            <Said key={mention.id} channelId={channelId} mention={mention} />
          ))}
        </ul>
      </div>
    </li>
  )
})

function Said({ channelId, mention }: { channelId: string; mention: Mention }) {
  return (
    <li className="said">
      <span className="said-what">
        <KindChip kind={mention.sentiment} />
        <Link href={`/channels/${channelId}/stocks/${encodeURIComponent(mention.ticker)}`} className="ticker">
          {mention.ticker}
        </Link>
        <span className="said-price">
          {mention.price_at_mention !== null && formatPrice(mention.price_at_mention)}
        </span>
      </span>
      <Quote text={mention.context_snippet} />
    </li>
  )
}
