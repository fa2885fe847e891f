/** The notes on a stock in all channels, newest first. They are edited on the stock's page in the channel. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { withTokenAsked } from "../api/client"
import { needsToken } from "../api/errors"
import { useLoadError } from "../api/load-error"
import { meQuery, tickerNotesQuery } from "../api/people-queries"
import { LoadMore } from "../components/LoadMore"
import { ErrorState } from "../components/States"
import { withoutDemoSuffix } from "../text/demo"
import { NoteHead } from "./NoteHead"
import "./notes.css"

export function TickerNotes({ ticker }: { ticker: string }) {
  const notes = useInfiniteQuery(tickerNotesQuery(ticker))
  const loadError = useLoadError(notes)
  const items = notes.data?.pages.flatMap((page) => page.items) ?? []
  const me = useQuery({ ...meQuery(), enabled: items.length > 0 })
  if (!items.length && !loadError && !notes.hasNextPage) return null
  return (
    <section className="notes" aria-label="Notes">
      <div className="notes-head">
        <h2 className="section-title">Notes</h2>
        {needsToken(loadError) && (
          <button
            type="button"
            className="button"
            onClick={() => withTokenAsked(() => notes.refetch({ throwOnError: true })).catch(() => null)}
          >
            Enter the token
          </button>
        )}
      </div>
      {needsToken(loadError) && (
        <p className="soft notes-none">Notes are shown to those with the access token.</p>
      )}
      {loadError && !needsToken(loadError) && (
        <ErrorState title="Couldn’t load the notes" error={loadError} retry={notes.refetch} />
      )}
      <ol className="note-list" aria-label="Notes, newest first">
        {items.map((note) => (
          <li key={note.id} className="note">
            <div className="note-row">
              <NoteHead note={note} me={me.data?.user_id} />
              <Link
                className="touch note-channel"
                dir="auto"
                href={`/channels/${note.channel_id}/stocks/${encodeURIComponent(ticker)}`}
              >
                {withoutDemoSuffix(note.channel_name)}
              </Link>
            </div>
            <p className="note-text" dir="auto">
              {note.text}
            </p>
          </li>
        ))}
      </ol>
      <LoadMore query={notes} label="Load older notes" />
    </section>
  )
}
