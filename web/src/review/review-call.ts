/** Reviewing a call: sends it, tells what was done, and offers to undo it. */

import { describeError } from "../api/errors"
import { isOutdated, useReview } from "../api/evidence-mutations"
import type { CallPlace } from "../api/evidence-queries"
import type { Mention, Review, ReviewRequest } from "../api/types"
import { notify } from "../components/notices"
import { describeDone, undoRequest } from "./reviews"

export interface Judged {
  place: CallPlace
  /** The call and its review as they were before. */
  mention: Mention
  review: Review | null
}

interface Done {
  /** With the call as it is now. */
  onDone?: (after: Mention) => void
  onUndone?: () => void
  onFailed?: () => void
}

export function useReviewCall() {
  const { mutate, mutateAsync, isPending } = useReview()

  const undo = async (judged: Judged, after: Mention, onUndone?: () => void) => {
    const request = undoRequest(judged.mention, judged.review, after)
    try {
      await mutateAsync({ place: judged.place, request })
      notify(`Undone: ${judged.mention.ticker} is as it was before`)
      onUndone?.()
    } catch (error) {
      notify(explain(error), { isError: true })
    }
  }

  const review = (judged: Judged, request: ReviewRequest, { onDone, onUndone, onFailed }: Done = {}) =>
    mutate(
      { place: judged.place, request },
      {
        onSuccess: (after) => {
          const action = { label: "Undo", run: () => void undo(judged, after, onUndone) }
          notify(describeDone(after), { action })
          onDone?.(after)
        },
        onError: (error) => {
          notify(explain(error), { isError: true })
          onFailed?.()
        },
      },
    )

  return { review, undo, isPending }
}

function explain(error: unknown): string {
  return isOutdated(error)
    ? "Somebody else has reviewed this call meanwhile. Look at it again."
    : describeError(error)
}
