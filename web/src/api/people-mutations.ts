/** Changes of a person's settings and notes. Each carries the version it was made from. */

import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import { keepDefaults } from "../components/defaults"
import { type Choices, withChoice } from "../domain/settings"
import { withNote, withoutNote } from "../notes/stock-notes"
import { api, unwrap } from "./client"
import { type ApiError, isNotFound } from "./errors"
import { isOutdated } from "./evidence-mutations"
import { retryOnce, withIdempotencyKey } from "./mutations"
import { notesQuery, settingsQuery } from "./people-queries"
import { keys } from "./queries"
import type { Note, NotesPage, Settings } from "./types"

const MOST_TRIES = 3

/** Changes one setting of what is stored: what was changed elsewhere meanwhile is kept. */
export function useSaveSetting() {
  const client = useQueryClient()
  const { queryKey } = settingsQuery()
  return useMutation({
    // One after the other: each is made from what the one before left.
    scope: { id: "settings" },
    mutationFn: async (change: Partial<Choices>) => {
      const save = async (present: Settings) =>
        (await unwrap(api.PUT("/api/settings", { body: withChoice(present, change) }))) as Settings
      let present = await client.ensureQueryData(settingsQuery())
      for (let tries = 1; ; tries += 1) {
        try {
          return await save(present)
        } catch (error) {
          if (tries === MOST_TRIES || !isOutdated(error)) throw error
          present = (error as ApiError).present as Settings
        }
      }
    },
    retry: retryOnce,
    onSuccess: (saved, change) => {
      client.setQueryData(queryKey, saved)
      keepDefaults(saved)
      const isQueue = (key: readonly unknown[]) => key[2] === "queue"
      if ("review_below" in change) {
        client.invalidateQueries({ predicate: ({ queryKey: key }) => isQueue(key) })
      }
    },
  })
}

interface Place {
  channelId: string
  ticker: string
}

export function useAddNote({ channelId, ticker }: Place) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key, text }: { key: string; text: string }) => {
      const params = { path: { channel_id: channelId, ticker }, header: { "Idempotency-Key": key } }
      const path = "/api/channels/{channel_id}/stocks/{ticker}/notes"
      return (await unwrap(api.POST(path, { params, body: { text } }))) as Note
    },
    retry: retryOnce,
    onSuccess: (note) => showNote(client, note),
  })
  return {
    ...mutation,
    add: (text: string, onSuccess: () => void) =>
      mutation.mutate(withIdempotencyKey({ text }), { onSuccess }),
  }
}

export function useChangeNote() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ note, text, version }: { note: Note; text: string; version: number }) =>
      (await unwrap(api.PUT(ONE_NOTE, { params: { path: placeOf(note) }, body: { text, version } }))) as Note,
    retry: retryOnce,
    onSuccess: (note) => showNote(client, note),
  })
}

export function useDeleteNote() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (note: Note) => {
      try {
        await unwrap(api.DELETE(ONE_NOTE, { params: { path: placeOf(note) } }))
      } catch (error) {
        // Deleted elsewhere, or by a request whose response was lost.
        if (!isNotFound(error)) throw error
      }
    },
    retry: retryOnce,
    onSuccess: (_, note) => update(client, note, (pages) => withoutNote(pages, note.id)),
  })
}

/** The stored version that caused a conflict; null for any other error. */
export function presentNote(error: unknown): Note | null {
  return isOutdated(error) ? (((error as ApiError).present as Note | null) ?? null) : null
}

/** Shows a note as it is now. */
export function showNote(client: QueryClient, note: Note): void {
  update(client, note, (pages) => withNote(pages, note))
}

const ONE_NOTE = "/api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}"

function placeOf({ channel_id, ticker, id }: Note) {
  return { channel_id, ticker, note_id: id }
}

function update(client: QueryClient, note: Note, change: (pages: NotesPage[]) => NotesPage[]): void {
  const { queryKey } = notesQuery(note.channel_id, note.ticker)
  client.setQueryData<InfiniteData<NotesPage, string | null>>(
    queryKey,
    (notes) => notes && { ...notes, pages: change(notes.pages) },
  )
  // Refused before for lack of a token, it may be read now.
  if (!client.getQueryData(queryKey)) client.invalidateQueries({ queryKey })
  client.invalidateQueries({ queryKey: keys.notes(note.ticker) })
}
