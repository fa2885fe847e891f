/** Calls with entry, exit and result, newest first. On a phone each becomes a card; the roles keep it a table. */

import { memo } from "react"
import { Link } from "wouter"
import type { Channel, Horizon, ScoredCall } from "../api/types"
import { useDefaults } from "../components/defaults"
import { ExternalLink } from "../components/ExternalLink"
import { KindChip } from "../components/Kind"
import { Quote } from "../components/Quote"
import { RemovedNote } from "../components/RemovedNote"
import { Term } from "../components/Term"
import { Unknown } from "../components/Unknown"
import { describeOutcome, STATUS_LABELS, toneOf } from "../domain/calls"
import type { Term as TermName } from "../domain/definitions"
import { horizonSearch } from "../domain/horizons"
import { NewsBefore } from "../news/NewsBefore"
import { ReviewBadge } from "../review/ReviewBadge"
import { isRejected } from "../review/reviews"
import { WhatWasSaid } from "../review/WhatWasSaid"
import { WrongReading } from "../review/WrongReading"
import { formatDay, formatTimestamp } from "../text/dates"
import { withoutDemoSuffix } from "../text/demo"
import { formatChange, formatPrice } from "../text/numbers"
import "./CallsTable.css"
import "../components/Definitions.css"

export interface CallRow {
  call: ScoredCall
  channelId: string
  /** Where its stock is shown. */
  href: string
  /** Who made it, where that is not plain from the page. */
  channel?: Channel | undefined
}

interface Props {
  calls: readonly CallRow[]
  horizon: Horizon
}

const COLUMNS: [TermName, string][] = [
  ["entry", "Entry"],
  ["exit", "Exit"],
  ["return", "Return"],
  ["benchmark", "S&P 500"],
  ["excess", "Excess"],
]

export function CallsTable({ calls, horizon }: Props) {
  return (
    <>
      <p className="calls-note soft">
        For a sell, returns count the other way round, that of the S&amp;P 500 too: +4% means that it fell by
        4%.
      </p>
      <table className="calls" role="table">
        <caption className="visually-hidden">Calls, newest first</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              Call
            </th>
            {COLUMNS.map(([term, label]) => (
              <th key={term} scope="col" role="columnheader" className="number">
                <Term of={term}>{label}</Term>
              </th>
            ))}
            <th scope="col" role="columnheader">
              <Term of="outcome">Outcome</Term>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {calls.map((row) => (
            <Row
              key={`${row.call.video_id} ${row.call.ticker}`}
              call={row.call}
              channelId={row.channelId}
              href={row.href}
              channel={row.channel}
              horizon={horizon}
            />
          ))}
        </tbody>
      </table>
    </>
  )
}

const Row = memo(function Row({ call, channelId, href, channel, horizon }: CallRow & { horizon: Horizon }) {
  const tone = toneOf(call)
  const search = horizonSearch(horizon, useDefaults().horizon)
  const address = call.removed_at ? null : call.quote_url
  return (
    <tr role="row" className={call.excess_percent === null ? "undecided" : ""}>
      <th scope="row" role="rowheader" className="cell-call">
        <div className="call-cell">
          <span className="call-head">
            <KindChip kind={call.sentiment} />
            {channel ? (
              <Link className="touch strong" href={`/channels/${channel.id}${search}`} dir="auto">
                {withoutDemoSuffix(channel.name)}
              </Link>
            ) : (
              <Link className="ticker touch" href={`${href}${search}`} title={call.name ?? undefined}>
                {call.ticker}
              </Link>
            )}
            <time
              className="soft"
              dateTime={call.published_time ?? call.published_at}
              title={call.published_time ? `Published ${formatTimestamp(call.published_time)}` : undefined}
            >
              {formatDay(call.published_at)}
            </time>
            <ReviewBadge call={call} />
          </span>
          <Quote
            text={call.quote}
            address={address}
            seconds={call.start_seconds}
            isRejected={isRejected(call)}
          />
          <WhatWasSaid said={call} address={address} />
          <span className="call-evidence">
            <span className="call-video" dir="auto">
              <ExternalLink address={address}>{call.video_title}</ExternalLink>
            </span>
            <WrongReading
              place={{ channelId, videoId: call.video_id, ticker: call.ticker }}
              isReviewed={call.review !== null}
            />
          </span>
          <NewsBefore ticker={call.ticker} counts={call.news_before} video={call} />
          <RemovedNote removedAt={call.removed_at} />
        </div>
      </th>
      <Place term="entry" label="Entry" day={call.entry_date} price={call.entry_price} call={call} />
      <Place term="exit" label="Exit" day={call.exit_date} price={call.exit_price} call={call} />
      <Percent term="return" label="Return" percent={call.return_percent} call={call} />
      <Percent term="benchmark" label="S&P 500" percent={call.benchmark_percent} call={call} />
      <Percent term="excess" label="Excess" percent={call.excess_percent} call={call} tone={tone} />
      <td role="cell" className="cell-outcome" data-term="outcome">
        <span className={`outcome ${tone} ${call.status}`}>{describeOutcome(call)}</span>
      </td>
    </tr>
  )
})

interface PlaceProps {
  term: TermName
  label: string
  day: string | null
  price: number | null
  call: ScoredCall
}

function Place({ term, label, day, price, call }: PlaceProps) {
  return (
    <td role="cell" className={`number cell-${term}`} data-term={term}>
      <span className="cell-label" aria-hidden="true">
        {label}
      </span>
      {day === null ? (
        <Unknown label={STATUS_LABELS[call.status]} />
      ) : (
        <>
          <span>{price === null ? "–" : formatPrice(price)}</span>
          <time className="soft cell-second" dateTime={day}>
            {formatDay(day)}
          </time>
        </>
      )}
    </td>
  )
}

interface PercentProps {
  term: TermName
  label: string
  percent: number | null
  call: ScoredCall
  tone?: string
}

function Percent({ term, label, percent, call, tone = "" }: PercentProps) {
  return (
    <td role="cell" className={`number cell-${term}`} data-term={term}>
      <span className="cell-label" aria-hidden="true">
        {label}
      </span>
      {percent === null ? (
        <Unknown label={STATUS_LABELS[call.status]} />
      ) : (
        <span className={tone ? `strong ${tone}` : ""}>{formatChange(percent)}</span>
      )}
    </td>
  )
}
