/** One note. Its author can change and delete it. */

import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { flushSync } from "react-dom"
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
import "./notes.css"

interface Props {
  note: Note
  /** The reader's user id, once it is known. */
  me: string | undefined
  /** The note as it was when the reader began to change it; null while they do not. */
  edited: Note | null
  onEdit: (note: Note | null) => void
  onDeleted: () => void
}

interface Conflict {
  mine: string
  theirs: Note
}

export function NoteItem({ note, me, edited, onEdit, onDeleted }: Props) {
  const client = useQueryClient()
  const change = useChangeNote()
  const again = useAddNote({ channelId: note.channel_id, ticker: note.ticker })
  const remove = useDeleteNote()
  const [draft, setDraft] = useState<string | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const [isDeleting, setDeleting] = useState(false)
  const isEditing = edited !== null
  const editButton = useFocusAfter<HTMLButtonElement>(isEditing)
  const isGone = isNotFound(change.error)
  const close = () => {
    onEdit(null)
    setDraft(null)
    setConflict(null)
    change.reset()
    again.reset()
  }
  /** Replaces the version that the reader saw, though the list may have been read again meanwhile. */
  const replace = (text: string, version: number) =>
    change.mutate(
      { note, text, version },
      {
        onSuccess: close,
        onError: (error) => {
          const theirs = presentNote(error)
          setDraft(text)
          if (theirs) setConflict({ mine: text, theirs })
          else if (isNotFound(error)) setConflict(null)
        },
      },
    )
  const saveAgain = (text: string) =>
    again.add(text, () => {
      close()
      remove.mutate(note)
    })
  // A promise, because this note is unmounted by the time it settles.
  const confirmDelete = () =>
    remove.mutateAsync(note).then(
      () => {
        // At once: nothing outside of an open dialog can get the focus.
        flushSync(() => setDeleting(false))
        notify("Note deleted")
        onDeleted()
      },
      () => null,
    )
  if (isEditing && conflict) {
    return (
      <li className="note">
        <NoteConflict
          // Changed once more meanwhile, the newest is shown.
          key={conflict.theirs.version}
          {...conflict}
          isSaving={change.isPending}
          problem={presentNote(change.error) ? "" : messageOf(change.error)}
          onKeepMine={() => replace(conflict.mine, conflict.theirs.version)}
          onKeepTheirs={() => {
            showNote(client, conflict.theirs)
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
              onClick={() => onEdit(note)}
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
          initial={draft ?? edited.text}
          saveLabel={isGone ? "Save as a new note" : "Save"}
          isSaving={change.isPending || again.isPending}
          problem={
            isGone && !again.error
              ? "This note was deleted elsewhere."
              : messageOf(again.error ?? change.error)
          }
          onSave={(text) => (isGone ? saveAgain(text) : replace(text, edited.version))}
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
          onConfirm={confirmDelete}
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
