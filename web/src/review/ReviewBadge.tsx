/** The result of a person's review of a call; renders nothing for an unreviewed call. */

import type { Mention } from "../api/types"
import { Icon } from "../components/Icon"
import { describeReview } from "./reviews"

type Reviewed = Pick<Mention, "review" | "read_as" | "analyst">

export function ReviewBadge({ call: { review, read_as, analyst } }: { call: Reviewed }) {
  if (!review) return null
  const by = analyst && `Read by ${analyst}`
  return (
    <span className={`badge review-${review}`} title={by ?? undefined}>
      <Icon name={review === "confirmed" ? "done" : review === "corrected" ? "pencil" : "close"} />
      {describeReview(review, read_as)}
      {by && <span className="visually-hidden">. {by}</span>}
    </span>
  )
}
