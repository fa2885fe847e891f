/** Corrects what was said. What the policy makes of it is shown before it is saved. */

import { useId, useState } from "react"
import type { Act, ReviewedMention, Speaker } from "../api/types"
import { KindChip } from "../components/Kind"
import { type Correction, decide, explainDecision } from "../domain/policy"
import { ACT_GROUPS, ACT_LABELS, SPEAKER_LABELS, SPEAKERS } from "../domain/statements"
import { correctionOf } from "./reviews"
import "./StatementForm.css"

interface Props {
  mention: ReviewedMention
  disabled: boolean
  onCorrect: (correction: Correction) => void
}

export function StatementForm({ mention, disabled, onCorrect }: Props) {
  const [said, say] = useState<Correction>(correctionOf(mention))
  const [act, speaker, decision] = [useId(), useId(), useId()]
  const change = (part: Partial<Correction>) => say((before) => ({ ...before, ...part }))
  return (
    <form
      className="statement-form"
      aria-label="Correction"
      onSubmit={(event) => {
        event.preventDefault()
        onCorrect(said)
      }}
    >
      <div>
        <label className="field-label" htmlFor={act}>
          What was said
        </label>
        <select
          id={act}
          className="field"
          value={said.act}
          onChange={(event) => change({ act: event.target.value as Act })}
        >
          {ACT_GROUPS.map(([label, acts]) => (
            <optgroup key={label} label={label}>
              {acts.map((each) => (
                <option key={each} value={each}>
                  {ACT_LABELS[each]}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <div>
        <label className="field-label" htmlFor={speaker}>
          Who said it
        </label>
        <select
          id={speaker}
          className="field"
          value={said.speaker}
          onChange={(event) => change({ speaker: event.target.value as Speaker })}
        >
          {SPEAKERS.map((each) => (
            <option key={each} value={each}>
              {SPEAKER_LABELS[each]}
            </option>
          ))}
        </select>
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={said.sponsored}
          onChange={(event) => change({ sponsored: event.target.checked })}
        />
        In a sponsored segment
      </label>
      <p id={decision} className="statement-decision" role="status">
        <KindChip kind={decide(said).sentiment} /> {explainDecision(said)}
      </p>
      <button type="submit" className="button" disabled={disabled} aria-describedby={decision}>
        Save what was said
      </button>
    </form>
  )
}
