/** The queries of the pages: how long their data stays fresh, and when they poll. */

import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query"
import type { Kind } from "../domain/kinds"
import { addDays } from "../text/dates"
import { api, unwrap } from "./client"
import { isTransient } from "./errors"
import { mergeLogs } from "./merge-logs"
import type { Channel, ChannelPage, ChannelStocks, Log, Setup, TimelinePage } from "./types"

export const CHANNELS_PER_PAGE = 24
const VIDEOS_PER_PAGE = 20
const FILTERED_VIDEOS_PER_PAGE = 50
const POLL_MILLISECONDS = 2_000
/** The stocks and the timeline are larger, so they are polled less often. */
const TABLE_POLL_MILLISECONDS = 4_000
const RECOVERY_POLL_MILLISECONDS = 5_000

export const keys = {
  /** The pages of the list. */
  lists: ["channels"] as const,
  everyChannel: ["every channel"] as const,
  leaderboard: ["leaderboard"] as const,
  /** Over all channels. */
  runs: ["runs"] as const,
  plans: ["plans"] as const,
  exports: ["exports"] as const,
  /** On a stock, over all channels. */
  notes: (ticker: string) => ["notes", ticker] as const,
  channel: (id: string) => ["channel", id] as const,
  /** The calls to review, in each order. */
  queue: (id: string) => ["channel", id, "queue"] as const,
  part: (id: string, ...part: unknown[]) => ["channel", id, ...part] as const,
}

export function isRunning(channel: Pick<Channel, "status"> | undefined): boolean {
  return channel?.status === "pending" || channel?.status === "processing"
}

/** How soon to ask again: regularly during a run, and after a failure until the server is back. */
export function pollInterval(
  { state }: { state: { error: unknown } },
  running = false,
  milliseconds = POLL_MILLISECONDS,
): number | false {
  if (running) return milliseconds
  return state.error && isTransient(state.error) ? RECOVERY_POLL_MILLISECONDS : false
}

export function channelsQuery(page: number) {
  return queryOptions({
    queryKey: [...keys.lists, page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: CHANNELS_PER_PAGE }
      return (await unwrap(api.GET("/api/channels", { params: { query }, signal }))) as ChannelPage
    },
    refetchInterval: (query) => pollInterval(query, query.state.data?.items.some(isRunning)),
  })
}

/** Every channel, for the search and the comparison: read in pages of a hundred. */
export function allChannelsQuery() {
  return queryOptions({
    queryKey: keys.everyChannel,
    queryFn: async ({ signal }) => {
      const channels: Channel[] = []
      for (let page = 1; ; page += 1) {
        const query = { page, per_page: 100 }
        const read = (await unwrap(api.GET("/api/channels", { params: { query }, signal }))) as ChannelPage
        channels.push(...read.items)
        if (channels.length >= read.total || !read.items.length) return channels
      }
    },
    staleTime: 60_000,
  })
}

/** The estimate in it is for that many videos, or for a hundred. */
export function setupQuery(videos?: number) {
  return queryOptions({
    queryKey: videos === undefined ? ["setup"] : ["setup", videos],
    queryFn: async ({ signal }) => {
      const params = { query: videos === undefined ? {} : { videos } }
      return (await unwrap(api.GET("/api/setup", { params, signal }))) as Setup
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function channelQuery(id: string) {
  return queryOptions({
    queryKey: keys.part(id, "details"),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: id } }
      return (await unwrap(api.GET("/api/channels/{channel_id}", { params, signal }))) as Channel
    },
    refetchInterval: (query) => pollInterval(query, isRunning(query.state.data)),
  })
}

export function logsQuery(id: string, running: boolean, client: QueryClient) {
  const queryKey = keys.part(id, "logs")
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<Log[]>(queryKey) ?? []
      const since = known.at(-1)?.created_at
      const params = { path: { channel_id: id }, query: since ? { since } : {} }
      const response = await unwrap(api.GET("/api/channels/{channel_id}/logs", { params, signal }))
      return mergeLogs(known, response && "logs" in response ? response.logs : [])
    },
    refetchInterval: (query) => pollInterval(query, running),
  })
}

export function stocksQuery(id: string, running = false) {
  return queryOptions({
    queryKey: keys.part(id, "stocks"),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: id } }
      return (await unwrap(api.GET("/api/channels/{channel_id}/stocks", { params, signal }))) as ChannelStocks
    },
    refetchInterval: (query) => pollInterval(query, running, TABLE_POLL_MILLISECONDS),
  })
}

export interface TimelineFilter {
  kind: Kind | null
  ticker: string | null
  /** The newest day to show. */
  date: string | null
}

export function timelineQuery(id: string, { kind, ticker, date }: TimelineFilter, running = false) {
  return infiniteQueryOptions({
    queryKey: keys.part(id, "timeline", { kind, ticker, date }),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        // A filter is applied to the videos read, so more of them are asked for.
        limit: kind || ticker ? FILTERED_VIDEOS_PER_PAGE : VIDEOS_PER_PAGE,
        ...(kind ? { sentiment: kind } : {}),
        ...(ticker ? { ticker } : {}),
        ...(date ? { before: addDays(date, 1) } : {}),
        ...(pageParam ? { nextToken: pageParam } : {}),
      }
      const params = { path: { channel_id: id }, query }
      return (await unwrap(
        api.GET("/api/channels/{channel_id}/timeline", { params, signal }),
      )) as TimelinePage
    },
    getNextPageParam: (page) => page.nextToken,
    // A refetch reads every loaded page again: once there is more than one, the end of the run has to do.
    refetchInterval: (query) => {
      const polled = running && (query.state.data?.pages.length ?? 0) <= 1
      return pollInterval(query, polled, TABLE_POLL_MILLISECONDS)
    },
  })
}

export function stockMentionsQuery(id: string, ticker: string) {
  return queryOptions({
    queryKey: keys.part(id, "stock", ticker.toUpperCase()),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: id, ticker } }
      const response = await unwrap(api.GET("/api/channels/{channel_id}/stocks/{ticker}", { params, signal }))
      return response?.mentions ?? []
    },
  })
}

export function historyQuery(ticker: string, start: string, end: string) {
  return queryOptions({
    queryKey: ["history", ticker.toUpperCase(), start, end],
    queryFn: async ({ signal }) => {
      const params = { path: { ticker }, query: { start, end } }
      const response = await unwrap(api.GET("/api/stocks/{ticker}/history", { params, signal }))
      return response?.prices ?? []
    },
    staleTime: 10 * 60_000,
  })
}
