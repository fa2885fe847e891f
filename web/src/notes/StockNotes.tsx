/** The notes on a stock of a channel, newest first, with an editor. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { withTokenAsked } from "../api/client"
import { describeError, needsToken } from "../api/errors"
import { useLoadError } from "../api/load-error"
import { useAddNote } from "../api/people-mutations"
import { meQuery, notesQuery } from "../api/people-queries"
import type { Note } from "../api/types"
import { useFocusAfter } from "../components/focus"
import { Icon } from "../components/Icon"
import { LoadMore } from "../components/LoadMore"
import { NeedsRole } from "../components/NeedsRole"
import { ErrorState } from "../components/States"
import { NoteEditor } from "./NoteEditor"
import { NoteItem } from "./NoteItem"
import { withEdited } from "./stock-notes"
import "./notes.css"

export function StockNotes({ channelId, ticker }: { channelId: string; ticker: string }) {
  const notes = useInfiniteQuery(notesQuery(channelId, ticker))
  const me = useQuery({ ...meQuery(), enabled: notes.data !== undefined })
  const loadError = useLoadError(notes)
  const add = useAddNote({ channelId, ticker })
  const [isWriting, setWriting] = useState(false)
  const writeButton = useFocusAfter<HTMLButtonElement>(isWriting)
  const heading = useRef<HTMLHeadingElement>(null)
  const [edited, setEdited] = useState<readonly Note[]>([])
  // What is being changed stays, though it was deleted elsewhere.
  const items = withEdited(notes.data?.pages.flatMap((page) => page.items) ?? [], edited)
  const close = () => {
    setWriting(false)
    add.reset()
  }
  const readWithToken = () => withTokenAsked(() => notes.refetch({ throwOnError: true })).catch(() => null)
  return (
    <section className="notes" aria-label="Notes">
      <div className="notes-head">
        <h2 ref={heading} tabIndex={-1} className="section-title">
          Notes
        </h2>
        {!isWriting && !needsToken(loadError) && (
          <NeedsRole needed="editor">
            <button ref={writeButton} type="button" className="button" onClick={() => setWriting(true)}>
              <Icon name="pencil" />
              Write a note
            </button>
          </NeedsRole>
        )}
        {needsToken(loadError) && (
          <button type="button" className="button" onClick={readWithToken}>
            Enter the token
          </button>
        )}
      </div>
      {isWriting && (
        <NoteEditor
          label={`Note on ${ticker}`}
          saveLabel="Save note"
          isSaving={add.isPending}
          problem={add.error ? describeError(add.error) : ""}
          onSave={(text) => add.add(text, close)}
          onCancel={close}
        />
      )}
      {loadError && !needsToken(loadError) && (
        <ErrorState title="Couldn’t load the notes" error={loadError} retry={notes.refetch} />
      )}
      {items.length > 0 ? (
        <ol className="note-list" aria-label="Notes, newest first">
          {items.map((note) => (
            <NoteItem
              key={note.id}
              note={note}
              me={me.data?.user_id}
              edited={edited.find(({ id }) => id === note.id) ?? null}
              onEdit={(begun) =>
                setEdited((list) => [...list.filter(({ id }) => id !== note.id), ...(begun ? [begun] : [])])
              }
              onDeleted={() => heading.current?.focus()}
            />
          ))}
        </ol>
      ) : (
        !isWriting && <p className="soft notes-none">{describeNone(notes.data !== undefined, loadError)}</p>
      )}
      <LoadMore query={notes} label="Load older notes" />
    </section>
  )
}

function describeNone(isRead: boolean, error: unknown): string {
  if (needsToken(error)) return "Notes are shown to those with the access token."
  return isRead ? "Nothing noted on this stock yet." : ""
}
