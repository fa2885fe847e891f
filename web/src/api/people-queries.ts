/** Queries for the reader's identity, settings and notes. */

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { keepDefaults } from "../components/defaults"
import { api, unwrap } from "./client"
import { keys } from "./queries"
import type { Me, NotesOfTicker, NotesPage, Settings } from "./types"

const NOTES_PER_PAGE = 20

/** Refused for lack of a token, each of these would be again. */
const ONCE = { staleTime: 60_000, retryOnMount: false }

export function meQuery() {
  return queryOptions({
    queryKey: ["me"],
    queryFn: async ({ signal }) => (await unwrap(api.GET("/api/me", { signal }))) as Me,
    ...ONCE,
  })
}

export function settingsQuery() {
  return queryOptions({
    queryKey: ["settings"],
    queryFn: async ({ signal }) => {
      const settings = (await unwrap(api.GET("/api/settings", { signal }))) as Settings
      keepDefaults(settings)
      return settings
    },
    ...ONCE,
  })
}

export function notesQuery(channelId: string, ticker: string) {
  return infiniteQueryOptions({
    queryKey: keys.part(channelId, "notes", ticker),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const path = { channel_id: channelId, ticker }
      const params = { path, query: pageOf(pageParam) }
      return (await unwrap(
        api.GET("/api/channels/{channel_id}/stocks/{ticker}/notes", { params, signal }),
      )) as NotesPage
    },
    getNextPageParam: (page) => page.nextToken,
    ...ONCE,
  })
}

/** Over all channels. */
export function tickerNotesQuery(ticker: string) {
  return infiniteQueryOptions({
    queryKey: keys.notes(ticker),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const params = { path: { ticker }, query: pageOf(pageParam) }
      return (await unwrap(api.GET("/api/stocks/{ticker}/notes", { params, signal }))) as NotesOfTicker
    },
    getNextPageParam: (page) => page.nextToken,
    ...ONCE,
  })
}

function pageOf(nextToken: string | null) {
  return { limit: NOTES_PER_PAGE, ...(nextToken ? { nextToken } : {}) }
}
