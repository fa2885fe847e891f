/** The channel's mentions of the stock, newest first. Hovering over one highlights its mark in the chart. */

import type { Mention } from "../api/types"
import { Change, Unknown } from "../components/Change"
import { ExternalLink } from "../components/ExternalLink"
import { KindChip } from "../components/Kind"
import { Quote } from "../components/Quote"
import { changePercent } from "../record/change"
import { formatDay } from "../text/dates"
import { counted, formatPrice, formatShare } from "../text/numbers"

interface Props {
  mentions: readonly Mention[]
  currentPrice: number | null
  onHighlight: (mentionId: string | null) => void
}

export function MentionList({ mentions, currentPrice, onHighlight }: Props) {
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
              {mention.video && (
                <time dateTime={mention.video.published_at}>{formatDay(mention.video.published_at)}</time>
              )}
              <KindChip kind={mention.sentiment} />
            </div>
            <div className="mention-main">
              <h3 className="mention-title" dir="auto">
                <ExternalLink address={mention.video?.url ?? null}>{mention.video?.title}</ExternalLink>
              </h3>
              <Quote text={mention.context_snippet} />
              {mention.confidence_score !== null && (
                <p className="mention-confidence">
                  {mention.possible_sentiment === null
                    ? "Confidence in this reading"
                    : `Possibly a ${mention.possible_sentiment}. Confidence`}
                  : {formatShare(mention.confidence_score)}
                </p>
              )}
            </div>
            <dl className="mention-prices">
              <div>
                <dt>Price then</dt>
                <dd>
                  {mention.price_at_mention === null ? (
                    <Unknown label="No price" />
                  ) : (
                    formatPrice(mention.price_at_mention)
                  )}
                </dd>
              </div>
              <div>
                <dt>Change</dt>
                <dd>
                  <Change percent={changePercent(mention.price_at_mention, currentPrice)} />
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ol>
    </section>
  )
}
