import type { CallPlace } from "../api/evidence-queries"
import { openCall } from "./open-call"
import "./WrongReading.css"

/** Beside a call wherever it is shown: opens the words around it, so that a reader can correct the call. */
export function WrongReading({ place, isReviewed }: { place: CallPlace; isReviewed: boolean }) {
  const text = isReviewed ? "See the review" : "This reading is wrong"
  return (
    <button
      type="button"
      className="wrong-reading"
      aria-haspopup="dialog"
      aria-label={`${text} (${place.ticker})`}
      onClick={() => openCall(place)}
    >
      {text}
    </button>
  )
}
