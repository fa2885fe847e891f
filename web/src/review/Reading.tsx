/** Who read a call as what, how sure that was, and what a person has made of it. */

import type { Mention, Review } from "../api/types"
import { KindChip } from "../components/Kind"
import { formatTimestamp } from "../text/dates"
import { formatShare } from "../text/numbers"
import { ReviewBadge } from "./ReviewBadge"
import { readingOf } from "./reviews"
import "./Reading.css"

interface Props {
  mention: Mention
  review?: Review | null
}

export function Reading({ mention, review = null }: Props) {
  const { analyst, confidence_score: confidence, possible_sentiment: possible } = mention
  return (
    <div className="reading">
      <p>
        Read as <KindChip kind={readingOf(mention)} />
        {analyst && ` by ${analyst}`}
        {confidence !== null && `, confidence ${formatShare(confidence)}`}
        {possible && `. Possibly a ${possible}`}.
      </p>
      {mention.review && (
        <p>
          <ReviewBadge call={mention} />{" "}
          {review?.outcome && (
            <span className="soft">
              by <bdi>{review.reviewed_by}</bdi> on{" "}
              <time dateTime={review.reviewed_at}>{formatTimestamp(review.reviewed_at)}</time>
            </span>
          )}
        </p>
      )}
      {review?.outcome && review.note && (
        <p className="review-note" dir="auto">
          {review.note}
        </p>
      )}
    </div>
  )
}
