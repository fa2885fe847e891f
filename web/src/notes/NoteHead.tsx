import type { Note } from "../api/types"
import { formatTimestamp } from "../text/dates"
import { describeAuthor, isEdited } from "./stock-notes"
import "./notes.css"

/** Who wrote it and when. */
export function NoteHead({ note, me }: { note: Note; me: string | undefined }) {
  return (
    <p className="note-head">
      <span className="strong" title={note.author}>
        {describeAuthor(note.author, me)}
      </span>
      <time className="soft" dateTime={note.created_at}>
        {formatTimestamp(note.created_at)}
      </time>
      {isEdited(note) && (
        <span className="soft">
          edited <time dateTime={note.updated_at}>{formatTimestamp(note.updated_at)}</time>
        </span>
      )}
    </p>
  )
}
