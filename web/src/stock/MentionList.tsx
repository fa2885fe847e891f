/** What the channel said of the stock, newest first. Pointing at a line points at its mark in the chart. */

import type { Mention } from "../api/types"
import { Change, Unknown } from "../parts/Change"
import { ExternalLink } from "../parts/ExternalLink"
import { KindChip } from "../parts/Kind"
import { Quote } from "../parts/Quote"
import { changePercent } from "../record/change"
import { formatDay } from "../text/dates"
import { counted, formatPrice, formatShare } from "../text/numbers"

interface Props {
  mentions: readonly Mention[]
  currentPrice: number | null
  onPoint: (mentionId: string | null) => void
}

export function MentionList({ mentions, currentPrice, onPoint }: Props) {
  return (
    <section aria-label="Mentions">
      <h2 className="section-title">{counted(mentions.length, "mention", "mentions")}</h2>
      <ol className="mentions" onPointerLeave={() => onPoint(null)}>
        {mentions.map((mention) => (
          <li
            key={mention.id}
            className="mention"
            onPointerEnter={(event) => event.pointerType === "mouse" && onPoint(mention.id)}
            onFocus={() => onPoint(mention.id)}
            onBlur={() => onPoint(null)}
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
                <p className="mention-sure">Read with {formatShare(mention.confidence_score)} confidence</p>
              )}
            </div>
            <dl className="mention-prices">
              <div>
                <dt>Price then</dt>
                <dd>
                  {mention.price_at_mention === null ? (
                    <Unknown what="Price unknown" />
                  ) : (
                    formatPrice(mention.price_at_mention)
                  )}
                </dd>
              </div>
              <div>
                <dt>Since</dt>
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
