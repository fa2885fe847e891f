/** The calls that turned out best and worst, with their words. */

import { Link } from "wouter"
import type { DetailedScore, Horizon, ScoredCall } from "../api/types"
import { useDefaults } from "../components/defaults"
import { ExternalLink } from "../components/ExternalLink"
import { KindChip } from "../components/Kind"
import { Quote } from "../components/Quote"
import { RemovedNote } from "../components/RemovedNote"
import { toneOf } from "../domain/calls"
import { horizonSearch } from "../domain/horizons"
import { ReviewBadge } from "../review/ReviewBadge"
import { WhatWasSaid } from "../review/WhatWasSaid"
import { WrongReading } from "../review/WrongReading"
import { formatDay } from "../text/dates"
import { formatChange } from "../text/numbers"
import "./BestAndWorst.css"

const SHOWN = 3

export function BestAndWorst({ channelId, figures }: { channelId: string; figures: DetailedScore }) {
  const { best, worst, horizon } = figures
  if (!best.length) return null
  return (
    <div className="pair">
      <List title="Best calls" calls={best} channelId={channelId} horizon={horizon} />
      <List title="Worst calls" calls={worst} channelId={channelId} horizon={horizon} />
    </div>
  )
}

interface ListProps {
  title: string
  calls: readonly ScoredCall[]
  channelId: string
  horizon: Horizon
}

function List({ title, calls, channelId, horizon }: ListProps) {
  const { horizon: own } = useDefaults()
  return (
    <section className="card panel" aria-label={title}>
      <h2 className="section-title">{title}</h2>
      <ol className="top-calls">
        {calls.slice(0, SHOWN).map((call) => (
          <li key={`${call.video_id} ${call.ticker}`}>
            <div className="top-call">
              <KindChip kind={call.sentiment} />
              <Link
                className="ticker touch"
                href={`/channels/${channelId}/stocks/${encodeURIComponent(call.ticker)}${horizonSearch(horizon, own)}`}
              >
                {call.ticker}
              </Link>
              <time className="soft" dateTime={call.published_at}>
                {formatDay(call.published_at)}
              </time>
              <span className={`strong ${toneOf(call)}`} data-term="excess">
                {formatChange(call.excess_percent)}
              </span>
            </div>
            <Quote text={call.quote} address={addressOf(call)} seconds={call.start_seconds} />
            <WhatWasSaid said={call} address={addressOf(call)} />
            <div className="call-evidence">
              <p className="soft top-video" dir="auto">
                <ExternalLink address={addressOf(call)}>{call.video_title}</ExternalLink>
              </p>
              <ReviewBadge call={call} />
              <WrongReading
                place={{ channelId, videoId: call.video_id, ticker: call.ticker }}
                isReviewed={call.review !== null}
              />
            </div>
            <RemovedNote removedAt={call.removed_at} />
          </li>
        ))}
      </ol>
      {!calls.length && <p className="soft">No further scored calls.</p>}
    </section>
  )
}

/** A video that is gone is not linked to. */
function addressOf({ quote_url, removed_at }: ScoredCall): string | null {
  return removed_at ? null : quote_url
}
