/** Queries for scores: the leaderboard, a channel's score, its calls, and its backtest. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, unwrap } from "./client"
import { isRunning, keys, pollInterval } from "./queries"
import type {
  Backtest,
  CallStatus,
  CallsPage,
  CallsScored,
  Channel,
  Horizon,
  Leaderboard,
  LeaderboardEntry,
  Scorecard,
  SearchResults,
  StockCalls,
  Strategy,
} from "./types"

const CALLS_PER_PAGE = 50
const CHANNELS_PER_PAGE = 100
/** A score arrives shortly after the end of a run. */
const SCORE_POLL_MILLISECONDS = 4_000
/** While channels have no score and none is being processed. */
const SLOW_POLL_MILLISECONDS = 15_000

async function readLeaderboard(horizon: Horizon, token: string | null, signal: AbortSignal) {
  const query = { horizon, limit: CHANNELS_PER_PAGE, ...(token ? { nextToken: token } : {}) }
  return (await unwrap(api.GET("/api/leaderboard", { params: { query }, signal }))) as Leaderboard
}

/** It is read again while some of the newest channels are not in it. */
export function leaderboardQuery(horizon: Horizon, newest: readonly Channel[]) {
  return infiniteQueryOptions({
    queryKey: [...keys.leaderboard, horizon],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => readLeaderboard(horizon, pageParam, signal),
    getNextPageParam: (page) => page.nextToken,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      const waiting = withoutScore(newest, query.state.data?.pages ?? [])
      const milliseconds = waiting.some(isRunning) ? SCORE_POLL_MILLISECONDS : SLOW_POLL_MILLISECONDS
      return pollInterval(query, waiting.length > 0, milliseconds)
    },
  })
}

/** The channels that are not in the leaderboard. While it has further pages, only those being processed are known to be. */
export function withoutScore(channels: readonly Channel[], pages: readonly Leaderboard[]): Channel[] {
  const scored = new Set(pages.flatMap((page) => page.items.map(({ channel }) => channel.id)))
  const isWhole = pages.at(-1)?.nextToken === null
  return channels.filter((channel) => !scored.has(channel.id) && (isWhole || isRunning(channel)))
}

/** The channel's place in the leaderboard, which is read page by page until it is found; null where it has none. */
export function standingQuery(id: string, horizon: Horizon, computedAt: string | null | undefined) {
  return queryOptions({
    queryKey: keys.part(id, "standing", horizon, computedAt),
    enabled: Boolean(computedAt),
    queryFn: async ({ signal }): Promise<LeaderboardEntry | null> => {
      let token: string | null = null
      do {
        const page: Leaderboard = await readLeaderboard(horizon, token, signal)
        const found = page.items.find(({ channel }) => channel.id === id)
        if (found) return found
        token = page.nextToken
      } while (token)
      return null
    },
  })
}

/** `calls` are those that it is made over: all, or those a person has checked. */
export function scoreQuery(id: string, calls: CallsScored = "all") {
  return queryOptions({
    queryKey: keys.part(id, "score", calls),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: id }, query: calls === "all" ? {} : { calls } }
      return (await unwrap(api.GET("/api/channels/{channel_id}/score", { params, signal }))) as Scorecard
    },
    // Nothing is scored yet: the score may come at any time. Checked calls come with the reviews made here.
    refetchInterval: (query) =>
      pollInterval(query, calls === "all" && Boolean(query.state.data?.reason), SCORE_POLL_MILLISECONDS),
  })
}

export interface CallFilter {
  horizon: Horizon
  kind: "buy" | "sell" | null
  status: CallStatus | null
  ticker: string | null
}

export function callsQuery(id: string, { horizon, kind, status, ticker }: CallFilter) {
  return infiniteQueryOptions({
    queryKey: keys.part(id, "calls", { horizon, kind, status, ticker }),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        horizon,
        limit: CALLS_PER_PAGE,
        ...(kind ? { kind } : {}),
        ...(status ? { status } : {}),
        ...(ticker ? { ticker } : {}),
        ...(pageParam ? { nextToken: pageParam } : {}),
      }
      const params = { path: { channel_id: id }, query }
      return (await unwrap(api.GET("/api/channels/{channel_id}/calls", { params, signal }))) as CallsPage
    },
    getNextPageParam: (page) => page.nextToken,
    placeholderData: keepPreviousData,
  })
}

export function backtestQuery(id: string, strategy: Strategy, horizon: Horizon, costs: number) {
  return queryOptions({
    queryKey: keys.part(id, "backtest", { strategy, horizon, costs }),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: id }, query: { strategy, horizon, cost_bps: costs } }
      return (await unwrap(api.GET("/api/channels/{channel_id}/backtest", { params, signal }))) as Backtest
    },
    placeholderData: keepPreviousData,
  })
}

export function stockCallsQuery(ticker: string, horizon: Horizon) {
  return infiniteQueryOptions({
    queryKey: ["stock-calls", ticker, horizon],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { horizon, limit: CALLS_PER_PAGE, ...(pageParam ? { nextToken: pageParam } : {}) }
      const params = { path: { ticker }, query }
      return (await unwrap(api.GET("/api/stocks/{ticker}/calls", { params, signal }))) as StockCalls
    },
    getNextPageParam: (page) => page.nextToken,
    placeholderData: keepPreviousData,
  })
}

export function searchQuery(text: string) {
  return queryOptions({
    queryKey: ["search", text],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET("/api/search", { params: { query: { q: text } }, signal }))) as SearchResults,
    enabled: text !== "",
    staleTime: 60_000,
  })
}
