/** Who read a call as what, how sure that was, and what a person has made of it. */

import type { Review, ReviewedMention } from "../api/types"
import { KindChip } from "../components/Kind"
import { formatTimestamp } from "../text/dates"
import { formatShare } from "../text/numbers"
import { ReviewBadge } from "./ReviewBadge"
import { readingOf } from "./reviews"
import { WhatWasSaid } from "./WhatWasSaid"
import "./Reading.css"

interface Props {
  mention: ReviewedMention
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
              by <bdi>{review.reviewed_by ?? "a reviewer"}</bdi> on{" "}
              <time dateTime={review.reviewed_at}>{formatTimestamp(review.reviewed_at)}</time>
            </span>
          )}
        </p>
      )}
      <WhatWasSaid said={mention} address={mention.video?.removed_at ? null : (mention.video?.url ?? null)} />
      {review?.outcome && review.note && (
        <p className="review-note" dir="auto">
          {review.note}
        </p>
      )}
    </div>
  )
}
