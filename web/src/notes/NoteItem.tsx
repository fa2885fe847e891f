/** One note. Whoever wrote it can change and delete it. */

import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { describeError, isNotFound } from "../api/errors"
import { presentNote, showNote, useAddNote, useChangeNote, useDeleteNote } from "../api/people-mutations"
import type { Note } from "../api/types"
import { ConfirmDialog } from "../components/ConfirmDialog"
import { useFocusAfter } from "../components/focus"
import { Icon } from "../components/Icon"
import { notify } from "../components/notices"
import { NoteConflict } from "./NoteConflict"
import { NoteEditor } from "./NoteEditor"
import { NoteHead } from "./NoteHead"

interface Props {
  note: Note
  /** The reader's user id, once it is known. */
  me: string | undefined
  onDeleted: () => void
}

export function NoteItem({ note, me, onDeleted }: Props) {
  const client = useQueryClient()
  const change = useChangeNote()
  const again = useAddNote({ channelId: note.channel_id, ticker: note.ticker })
  const remove = useDeleteNote()
  const [isEditing, setEditing] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const editButton = useFocusAfter<HTMLButtonElement>(isEditing)
  const other = presentNote(change.error)
  const isGone = isNotFound(change.error)
  const close = () => {
    setEditing(false)
    change.reset()
    again.reset()
  }
  const save = (text: string) => {
    if (isGone) again.add(text, () => remove.mutate(note))
    else change.mutate({ note, text, version: note.version }, { onSuccess: close })
  }
  if (isEditing && other) {
    const mine = change.variables?.text ?? ""
    return (
      <li className="note">
        <NoteConflict
          // Changed once more meanwhile, the newest is shown.
          key={other.version}
          mine={mine}
          theirs={other}
          isSaving={change.isPending}
          onKeepMine={() => change.mutate({ note, text: mine, version: other.version }, { onSuccess: close })}
          onKeepTheirs={() => {
            showNote(client, other)
            close()
          }}
        />
      </li>
    )
  }
  return (
    <li className="note">
      <div className="note-row">
        <NoteHead note={note} me={me} />
        {note.author === me && !isEditing && (
          <div className="note-actions">
            <button
              ref={editButton}
              type="button"
              className="button quiet icon-only"
              aria-label="Edit this note"
              title="Edit"
              onClick={() => setEditing(true)}
            >
              <Icon name="pencil" />
            </button>
            <button
              type="button"
              className="button quiet icon-only"
              aria-label="Delete this note"
              title="Delete"
              onClick={() => setDeleting(true)}
            >
              <Icon name="bin" />
            </button>
          </div>
        )}
      </div>
      {isEditing ? (
        <NoteEditor
          label="Edit this note"
          initial={note.text}
          saveLabel={isGone ? "Save as a new note" : "Save"}
          isSaving={change.isPending || again.isPending}
          problem={isGone ? "This note was deleted elsewhere." : messageOf(change.error ?? again.error)}
          onSave={save}
          onCancel={close}
        />
      ) : (
        <p className="note-text" dir="auto">
          {note.text}
        </p>
      )}
      {isDeleting && (
        <ConfirmDialog
          title="Delete this note?"
          error={remove.error}
          isPending={remove.isPending}
          onClose={() => setDeleting(false)}
          onConfirm={() =>
            remove.mutate(note, {
              onSuccess: () => {
                setDeleting(false)
                notify("Note deleted")
                onDeleted()
              },
            })
          }
        >
          <p>It can’t be brought back.</p>
        </ConfirmDialog>
      )}
    </li>
  )
}

function messageOf(error: unknown): string {
  return error ? describeError(error) : ""
}
