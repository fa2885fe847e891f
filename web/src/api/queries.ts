/** What the pages read, how long it stays fresh, and when it is asked for again. */

import { type QueryClient, queryOptions } from "@tanstack/react-query"
import { answered, api } from "./client"
import { mergeLogs } from "./log-lines"
import { ApiProblem } from "./problems"
import type { Channel, ChannelPage, Log, TimelineEntry } from "./types"

export const CHANNELS_PER_PAGE = 24
const POLL_MILLISECONDS = 2_000
/** Tables are large: while a run goes on they follow at a slower pace. */
const TABLES_MILLISECONDS = 4_000

export const keys = {
  lists: ["channels"] as const,
  channel: (id: string) => ["channel", id] as const,
  part: (id: string, ...part: string[]) => ["channel", id, ...part] as const,
}

export function isRunning(channel: Pick<Channel, "status"> | undefined): boolean {
  return channel?.status === "pending" || channel?.status === "processing"
}

export function channelsQuery(page: number) {
  return queryOptions({
    queryKey: [...keys.lists, page],
    queryFn: async ({ signal }) => {
      const query = { page, per_page: CHANNELS_PER_PAGE }
      return (await answered(api.GET("/api/channels", { params: { query }, signal }))) as ChannelPage
    },
    refetchInterval: ({ state }) => (state.data?.items.some(isRunning) ? POLL_MILLISECONDS : false),
  })
}

export function channelQuery(id: string) {
  return queryOptions({
    queryKey: keys.part(id, "itself"),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: id } }
      return (await answered(api.GET("/api/channels/{channel_id}", { params, signal }))) as Channel
    },
    refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_MILLISECONDS : false),
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
      const answer = await answered(api.GET("/api/channels/{channel_id}/logs", { params, signal }))
      return mergeLogs(known, answer && "logs" in answer ? answer.logs : [])
    },
    refetchInterval: running ? POLL_MILLISECONDS : false,
  })
}

export function stocksQuery(id: string, running = false) {
  return queryOptions({
    queryKey: keys.part(id, "stocks"),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: id } }
      const answer = await answered(api.GET("/api/channels/{channel_id}/stocks", { params, signal }))
      return answer?.stocks ?? []
    },
    refetchInterval: running ? TABLES_MILLISECONDS : false,
  })
}

export function timelineQuery(id: string, running = false) {
  return queryOptions({
    queryKey: keys.part(id, "timeline"),
    queryFn: ({ signal }) => readTimeline(id, signal),
    refetchInterval: running ? TABLES_MILLISECONDS : false,
  })
}

export function stockMentionsQuery(id: string, ticker: string) {
  return queryOptions({
    queryKey: keys.part(id, "stock", ticker.toUpperCase()),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: id, ticker } }
      const answer = await answered(api.GET("/api/channels/{channel_id}/stocks/{ticker}", { params, signal }))
      return answer?.mentions ?? []
    },
  })
}

export function historyQuery(ticker: string, start: string, end: string) {
  return queryOptions({
    queryKey: ["history", ticker.toUpperCase(), start, end],
    queryFn: async ({ signal }) => {
      const params = { path: { ticker }, query: { start, end } }
      const answer = await answered(api.GET("/api/stocks/{ticker}/history", { params, signal }))
      return answer?.prices ?? []
    },
    staleTime: 10 * 60_000,
  })
}

/** In one answer, or page by page where one answer would be too large for the API. */
async function readTimeline(id: string, signal: AbortSignal): Promise<TimelineEntry[]> {
  const path = { channel_id: id }
  try {
    const answer = await answered(
      api.GET("/api/channels/{channel_id}/timeline", { params: { path }, signal }),
    )
    return answer && "timeline" in answer ? answer.timeline : []
  } catch (problem) {
    if (!(problem instanceof ApiProblem) || problem.status !== 413) throw problem
  }
  const entries: TimelineEntry[] = []
  let nextToken: string | null = null
  do {
    const query: { limit: number; nextToken?: string } = { limit: 100, ...(nextToken ? { nextToken } : {}) }
    const answer = await answered(
      api.GET("/api/channels/{channel_id}/timeline", { params: { path, query }, signal }),
    )
    if (!answer || !("items" in answer)) break
    entries.push(...answer.items)
    nextToken = answer.nextToken
  } while (nextToken)
  return entries
}
