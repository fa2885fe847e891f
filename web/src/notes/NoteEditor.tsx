/** A field for a note. Ctrl or Cmd with Enter saves; Escape closes it while nothing was changed. */

import { useEffect, useId, useRef, useState } from "react"
import { NoteProblem } from "./NoteProblem"
import { canSave, charactersLeft, cleanNote, describeLeft } from "./stock-notes"
import "./notes.css"

interface Props {
  label: string
  initial?: string
  saveLabel: string
  isSaving: boolean
  /** Why it could not be saved. */
  problem: string
  onSave: (text: string) => void
  onCancel: () => void
}

export function NoteEditor({ label, initial = "", saveLabel, isSaving, problem, onSave, onCancel }: Props) {
  const [text, setText] = useState(initial)
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const left = charactersLeft(text)
  useEffect(() => {
    const element = field.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  const save = () => {
    if (canSave(text) && !isSaving) onSave(cleanNote(text))
  }
  return (
    <form
      className="note-editor"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        className="field"
        rows={4}
        dir="auto"
        value={text}
        aria-invalid={left < 0}
        aria-describedby={`${id}-left`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save()
          if (event.key === "Escape" && text === initial) onCancel()
        }}
      />
      <div className="note-editor-foot">
        <p id={`${id}-left`} className={`note-left ${left < 0 ? "wrong" : "soft"}`} role="status">
          {describeLeft(left)}
        </p>
        <button type="button" className="button quiet" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="button primary" disabled={isSaving || !canSave(text)}>
          {isSaving ? "Saving…" : saveLabel}
        </button>
      </div>
      <NoteProblem sentence={problem} />
    </form>
  )
}
