/** A call in its context, and the means to correct how it was read. Prices are shown once it has been reviewed. */

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { isNotFound } from "../api/errors"
import { type CallPlace, callQuery } from "../api/evidence-queries"
import { useLoadError } from "../api/load-error"
import type { CallInContext, ReviewRequest } from "../api/types"
import { Dialog } from "../components/Dialog"
import { EmptyState, ErrorState } from "../components/States"
import { AnswerButtons } from "./AnswerButtons"
import { InContext } from "./InContext"
import { NewsBeforeCall } from "./NewsBeforeCall"
import { NoteField } from "./NoteField"
import { PriceAround } from "./PriceAround"
import { Reading } from "./Reading"
import { useReviewCall } from "./review-call"
import { requestFor } from "./reviews"
import "../components/Skeletons.css"
import "./QueueItem.css"

interface Props {
  place: CallPlace
  onClose: () => void
}

export default function CallDialog({ place, onClose }: Props) {
  // It must be the present one: its version decides whether the review is taken.
  const call = useQuery({ ...callQuery(place), staleTime: 0 })
  const loadError = useLoadError(call)
  return (
    <Dialog title={`What was said of ${place.ticker}`} onClose={onClose}>
      {isNotFound(loadError) && (
        <EmptyState title="This call is gone">
          <p className="soft">The video was read again and no longer mentions {place.ticker}.</p>
        </EmptyState>
      )}
      {loadError && !isNotFound(loadError) && (
        <ErrorState title="Couldn’t load the call" error={loadError} retry={call.refetch} />
      )}
      {!call.data && !loadError && <div className="skeleton call-outline" aria-busy="true" />}
      {call.data && (
        <Judgement key={call.data.review?.version} place={place} call={call.data} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Judgement({ place, call, onClose }: Props & { call: CallInContext }) {
  const { mention, review } = call
  const [note, setNote] = useState(review?.outcome ? (review.note ?? "") : "")
  const { review: send, isPending } = useReviewCall()
  // It is opened from lists that show what became of the call.
  const judge = (request: ReviewRequest) =>
    send({ place, mention, review }, { ...request, blind: false }, { onDone: onClose })
  return (
    <div className="judgement">
      {call.name && (
        <p className="soft" dir="auto">
          {call.name}
        </p>
      )}
      <InContext mention={mention} context={call} />
      <Reading mention={mention} review={review} />
      {mention.review && mention.video && <PriceAround mention={mention} day={mention.video.published_at} />}
      {mention.video && <NewsBeforeCall ticker={mention.ticker} video={mention.video} onLeave={onClose} />}
      <NoteField note={note} onNote={setNote} />
      <AnswerButtons
        mention={mention}
        disabled={isPending}
        onAnswer={(answer) => judge(requestFor(answer, mention, note))}
      />
      {mention.review && (
        <button
          type="button"
          className="button quiet"
          disabled={isPending}
          onClick={() => judge({ review: null, version: mention.review_version ?? 0 })}
        >
          Withdraw the review
        </button>
      )}
    </div>
  )
}
