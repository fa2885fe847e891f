/** Two versions of a note that was changed in two places: the reader chooses which one stays. */

import { useEffect, useRef } from "react"
import type { Note } from "../api/types"
import { formatTimestamp } from "../text/dates"
import { NoteProblem } from "./NoteProblem"
import "./notes.css"

interface Props {
  mine: string
  theirs: Note
  isSaving: boolean
  /** Why neither could be saved. */
  problem: string
  onKeepMine: () => void
  onKeepTheirs: () => void
}

export function NoteConflict({ mine, theirs, isSaving, problem, onKeepMine, onKeepTheirs }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="note-conflict">
      <h3 ref={heading} tabIndex={-1} className="note-conflict-title">
        This note was changed elsewhere. Which version should stay?
      </h3>
      <div className="note-versions">
        <section aria-label="Your version">
          <p className="soft">Yours, not saved yet</p>
          <p className="note-text" dir="auto">
            {mine}
          </p>
          <button type="button" className="button primary" disabled={isSaving} onClick={onKeepMine}>
            {isSaving ? "Saving…" : "Keep yours"}
          </button>
        </section>
        <section aria-label="The other version">
          <p className="soft">
            Saved <time dateTime={theirs.updated_at}>{formatTimestamp(theirs.updated_at)}</time>
          </p>
          <p className="note-text" dir="auto">
            {theirs.text}
          </p>
          <button type="button" className="button" disabled={isSaving} onClick={onKeepTheirs}>
            Keep this one
          </button>
        </section>
      </div>
      <NoteProblem sentence={problem} />
    </div>
  )
}
