/** The buttons with which a reviewer classifies a call. */

import type { ReviewedMention } from "../api/types"
import { Icon } from "../components/Icon"
import { KindShape } from "../components/Kind"
import { NeedsRole } from "../components/NeedsRole"
import { KINDS } from "../domain/kinds"
import { ANSWER_KEYS, ANSWER_LABELS, type Answer, inWords, type QuickAnswer, readingOf } from "./reviews"
import { StatementForm } from "./StatementForm"
import "./ReviewTab.css"
import "./QueueItem.css"

interface Props {
  mention: ReviewedMention
  disabled: boolean
  onAnswer: (answer: Answer) => void
  /** True if the keys are shown and work. */
  withKeys?: boolean
}

export function AnswerButtons(props: Props) {
  return (
    <NeedsRole needed="editor">
      <Answers {...props} />
    </NeedsRole>
  )
}

function Answers({ mention, disabled, onAnswer, withKeys = false }: Props) {
  const reading = readingOf(mention)
  const button = (answer: QuickAnswer, className = "") => (
    <button
      key={answer}
      type="button"
      className={`button ${className}`}
      disabled={disabled}
      aria-keyshortcuts={withKeys ? ANSWER_KEYS[answer] : undefined}
      onClick={() => onAnswer(answer)}
    >
      {answer === "confirmed" && <Icon name="done" />}
      {answer === "rejected" && <Icon name="close" />}
      {answer !== "confirmed" && answer !== "rejected" && <KindShape kind={answer} />}
      {answer === "confirmed" ? `Confirm ${inWords(reading)}` : ANSWER_LABELS[answer]}
      {withKeys && (
        <span className="key" aria-hidden="true">
          {ANSWER_KEYS[answer]}
        </span>
      )}
    </button>
  )
  return (
    <div>
      <fieldset className="answers">
        <legend className="field-label">What does it say?</legend>
        {button("confirmed", "primary")}
        {KINDS.filter((kind) => kind !== reading).map((kind) => button(kind))}
        {button("rejected")}
      </fieldset>
      <details className="exact-answer">
        <summary>Correct what was said, who said it, or that it is sponsored</summary>
        <StatementForm mention={mention} disabled={disabled} onCorrect={onAnswer} />
      </details>
    </div>
  )
}
