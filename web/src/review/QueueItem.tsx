/** The call that is being reviewed. What became of it is not shown: anyone who knows the outcome reads the words by it. */

import type { Ref } from "react"
import { Link } from "wouter"
import type { CallInContext, ReviewItem } from "../api/types"
import { Icon } from "../components/Icon"
import { formatDay } from "../text/dates"
import { AnswerButtons } from "./AnswerButtons"
import { InContext } from "./InContext"
import { NoteField } from "./NoteField"
import { Reading } from "./Reading"
import { type Answer, REASONS } from "./reviews"
import "./QueueItem.css"
import "../stock/StockHeader.css"
import "./ReviewTab.css"

interface Props {
  panel: Ref<HTMLElement>
  channelId: string
  item: ReviewItem
  context: CallInContext | undefined
  note: string
  onNote: (note: string) => void
  noteField: Ref<HTMLTextAreaElement>
  withKeys: boolean
  disabled: boolean
  onAnswer: (answer: Answer) => void
  onStep: (step: 1 | -1) => void
}

export function QueueItem({ panel, channelId, item, context, withKeys, disabled, ...rest }: Props) {
  const { mention, name, reason } = item
  const day = mention.video?.published_at
  return (
    <section
      ref={panel}
      className="card panel queue-item"
      tabIndex={-1}
      aria-label={`${mention.ticker}, being reviewed`}
    >
      <header className="queue-item-head">
        <h2 className="section-title">
          <Link
            className="ticker touch"
            href={`/channels/${channelId}/stocks/${encodeURIComponent(mention.ticker)}`}
          >
            {mention.ticker}
          </Link>{" "}
          {name && (
            <span className="stock-full-name" dir="auto">
              {name}
            </span>
          )}
        </h2>
        <span className="badge">{REASONS[reason]}</span>
        {day && (
          <time className="soft" dateTime={day}>
            {formatDay(day)}
          </time>
        )}
      </header>
      <InContext mention={mention} context={context} />
      <Reading mention={mention} review={context?.review ?? null} />
      <AnswerButtons mention={mention} disabled={disabled} onAnswer={rest.onAnswer} withKeys={withKeys} />
      <NoteField note={rest.note} onNote={rest.onNote} ref={rest.noteField} withKey={withKeys} />
      <div className="queue-steps">
        <button type="button" className="button quiet" onClick={() => rest.onStep(-1)}>
          <Icon name="left" />
          Previous
          {withKeys && (
            <span className="key" aria-hidden="true">
              k
            </span>
          )}
        </button>
        <button type="button" className="button quiet" onClick={() => rest.onStep(1)}>
          Next
          {withKeys && (
            <span className="key" aria-hidden="true">
              j
            </span>
          )}
          <Icon name="right" />
        </button>
      </div>
    </section>
  )
}
