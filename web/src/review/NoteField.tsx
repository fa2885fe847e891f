import { type Ref, useId } from "react"
import "./ReviewTab.css"

interface Props {
  note: string
  onNote: (note: string) => void
  ref?: Ref<HTMLTextAreaElement>
  withKey?: boolean
}

const MAX_LENGTH = 2000

export function NoteField({ note, onNote, ref, withKey = false }: Props) {
  const field = useId()
  return (
    <div>
      <label className="field-label" htmlFor={field}>
        Note (optional)
        {withKey && (
          <span className="key" aria-hidden="true">
            n
          </span>
        )}
      </label>
      <textarea
        ref={ref}
        id={field}
        className="field"
        rows={2}
        maxLength={MAX_LENGTH}
        value={note}
        onChange={(event) => onNote(event.target.value)}
        // So that the keys of the queue work again.
        onKeyDown={(event) => withKey && event.key === "Escape" && event.currentTarget.blur()}
      />
    </div>
  )
}
