/** The channel's mentions of the stock, newest first. Hovering over one highlights its mark in the chart. */

import type { Horizon, Mention, ScoredCall } from "../api/types"
import { ExternalLink } from "../components/ExternalLink"
import { KindChip } from "../components/Kind"
import { Price } from "../components/Price"
import { Published } from "../components/Published"
import { RemovedNote } from "../components/RemovedNote"
import { Term } from "../components/Term"
import { Unknown } from "../components/Unknown"
import { describeOutcome, STATUS_LABELS, toneOf } from "../domain/calls"
import { HORIZON_LABELS } from "../domain/horizons"
import { NewsBefore } from "../news/NewsBefore"
import { MentionQuote } from "../review/MentionQuote"
import { ReviewBadge } from "../review/ReviewBadge"
import { isRejected } from "../review/reviews"
import { WhatWasSaid } from "../review/WhatWasSaid"
import { WrongReading } from "../review/WrongReading"
import { counted, formatChange, formatShare } from "../text/numbers"
import { changePercent } from "./price-change"
import "./MentionList.css"

interface Props {
  channelId: string
  mentions: readonly Mention[]
  /** The calls among them at the chosen horizon. */
  calls: readonly ScoredCall[]
  horizon: Horizon
  currentPrice: number | null
  onHighlight: (mentionId: string | null) => void
}

export function MentionList({ channelId, mentions, calls, horizon, currentPrice, onHighlight }: Props) {
  return (
    <section aria-label="Mentions">
      <h2 className="section-title">{counted(mentions.length, "mention", "mentions")}</h2>
      <ol className="mentions" onPointerLeave={() => onHighlight(null)}>
        {mentions.map((mention) => (
          <li
            key={mention.id}
            className="mention"
            onPointerEnter={(event) => event.pointerType === "mouse" && onHighlight(mention.id)}
            onFocus={() => onHighlight(mention.id)}
            onBlur={() => onHighlight(null)}
          >
            <div className="mention-side">
              {mention.video && <Published video={mention.video} />}
              <KindChip kind={mention.sentiment} isRejected={isRejected(mention)} />
            </div>
            <div className="mention-main">
              <h3 className="mention-title" dir="auto">
                <ExternalLink address={mention.video?.removed_at ? null : (mention.video?.url ?? null)}>
                  {mention.video?.title}
                </ExternalLink>
              </h3>
              <MentionQuote mention={mention} video={mention.video} />
              <WhatWasSaid
                said={{ ...mention, own_target: callOf(calls, mention)?.own_target ?? null }}
                address={mention.video?.removed_at ? null : (mention.video?.url ?? null)}
              />
              {mention.confidence_score !== null && (
                <p className="mention-confidence">
                  {mention.possible_sentiment === null
                    ? "Confidence in this reading"
                    : `Possibly a ${mention.possible_sentiment}. Confidence`}
                  : {formatShare(mention.confidence_score)}
                </p>
              )}
              <p className="call-evidence">
                <ReviewBadge call={mention} />
                <WrongReading
                  place={{ channelId, videoId: mention.video_id, ticker: mention.ticker }}
                  isReviewed={mention.review !== null}
                />
              </p>
              <NewsOf call={callOf(calls, mention)} />
              <RemovedNote removedAt={mention.video?.removed_at} />
            </div>
            <dl className="mention-prices">
              <div>
                <dt>
                  <Term of="price_then">Price then</Term>
                </dt>
                <dd>
                  <Price price={mention.price_at_mention} problem={mention.price_problem} />
                </dd>
              </div>
              <div>
                <dt>Price since</dt>
                <dd>{formatChange(changePercent(mention.price_at_mention, currentPrice))}</dd>
              </div>
              <Result call={callOf(calls, mention)} horizon={horizon} />
            </dl>
          </li>
        ))}
      </ol>
    </section>
  )
}

function callOf(calls: readonly ScoredCall[], mention: Mention): ScoredCall | undefined {
  return calls.find(({ video_id }) => video_id === mention.video_id)
}

function NewsOf({ call }: { call: ScoredCall | undefined }) {
  return call ? <NewsBefore ticker={call.ticker} counts={call.news_before} video={call} /> : null
}

/** The outcome of a call. Its colour follows the outcome: a sell before a rise is red. */
function Result({ call, horizon }: { call: ScoredCall | undefined; horizon: Horizon }) {
  if (!call) return null
  const { excess_percent: excess } = call
  return (
    <div data-term="excess">
      <dt>
        <Term of="excess">Excess, {HORIZON_LABELS[horizon]}</Term>
      </dt>
      <dd>
        {excess === null ? (
          <Unknown label={STATUS_LABELS[call.status]} />
        ) : (
          <span className={`strong ${toneOf(call)}`}>{formatChange(excess)}</span>
        )}
        <span className="mention-outcome">{describeOutcome(call)}</span>
      </dd>
    </div>
  )
}
