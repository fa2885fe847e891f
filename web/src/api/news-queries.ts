/** News: a list by stock, by tone or of all tones, the counts by day, and the headlines of some days. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query"
import { momentOf, type NewsFilter, type NewsRead, nextOf, type Period, TONES } from "../news/news"
import { api, unwrap } from "./client"
import { pollInterval } from "./queries"
import type { NewsPage, NewsSummary, NewsTone } from "./types"

const NEWS_PER_PAGE = 30
/** The API cannot filter a stock's news by tone, so it is done here. */
const FILTERED_NEWS_PER_PAGE = 100
/** In the tip of a day. */
const HEADLINES_OF_DAY = 5
/** A refetch reads every loaded page again, so a long list is not followed. */
const MOST_POLLED_PAGES = 3
const POLL_MILLISECONDS = 60_000
/** While there are none at all, or some have no tone yet. */
const WAITING_POLL_MILLISECONDS = 5_000
const SUMMARY_STALE_MILLISECONDS = 60_000

interface Wanted extends Period {
  tag?: string
  sentiment?: NewsTone
  limit: number
  nextToken?: string | undefined
}

async function readNews({ since, before, nextToken, ...wanted }: Wanted, signal: AbortSignal) {
  const query = { ...wanted, ...ends({ since, before }), ...(nextToken ? { nextToken } : {}) }
  return (await unwrap(api.GET("/api/news", { params: { query }, signal }))) as NewsPage
}

function ends({ since, before }: Period): { since?: string; before?: string } {
  return { ...(since ? { since: momentOf(since) } : {}), ...(before ? { before: momentOf(before) } : {}) }
}

/** The API lists the news of a stock or of a tone: for all of them it is asked for each tone. */
export function newsQuery({ ticker, tone, since, before }: NewsFilter) {
  const period = { since, before }
  const lists: Record<string, Wanted> = ticker
    ? { [ticker]: { ...period, tag: ticker, limit: tone ? FILTERED_NEWS_PER_PAGE : NEWS_PER_PAGE } }
    : Object.fromEntries(
        (tone ? [tone] : TONES).map((each) => [each, { ...period, sentiment: each, limit: NEWS_PER_PAGE }]),
      )
  return infiniteQueryOptions({
    // The tone among the news of a stock isn't a parameter of the API, but decides how many are read at once.
    queryKey: ["news", { ticker, tone, since, before }],
    initialPageParam: null as Record<string, string> | null,
    queryFn: async ({ pageParam, signal }): Promise<NewsRead> => {
      const read = Object.entries(lists).flatMap(([name, wanted]) =>
        pageParam && !pageParam[name]
          ? []
          : [readNews({ ...wanted, nextToken: pageParam?.[name] }, signal).then((page) => [name, page])],
      )
      return { lists: Object.fromEntries(await Promise.all(read)) }
    },
    getNextPageParam: (page) => nextOf(page) ?? null,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? []
      const items = pages.flatMap((page) => Object.values(page.lists).flatMap((list) => list.items))
      const isWaiting = !items.length || items.some(({ status }) => status === "pending")
      const isFollowed = pages.length > 0 && pages.length <= MOST_POLLED_PAGES && (!before || isWaiting)
      return pollInterval(query, isFollowed, isWaiting ? WAITING_POLL_MILLISECONDS : POLL_MILLISECONDS)
    },
  })
}

/** How many headlines of each tone a stock had on each day of a period. */
export function newsSummaryQuery(ticker: string, { since, before }: Period) {
  return queryOptions({
    queryKey: ["news summary", ticker, since, before],
    queryFn: async ({ signal }) => {
      const query = { tag: ticker, ...ends({ since, before }) }
      return (await unwrap(api.GET("/api/news/summary", { params: { query }, signal }))) as NewsSummary
    },
    staleTime: SUMMARY_STALE_MILLISECONDS,
  })
}

/** The newest headlines of a stock in a period. */
export function headlinesQuery(ticker: string, period: Period) {
  return queryOptions({
    queryKey: ["headlines", ticker, period.since, period.before],
    queryFn: ({ signal }) => readNews({ ...period, tag: ticker, limit: HEADLINES_OF_DAY }, signal),
    staleTime: SUMMARY_STALE_MILLISECONDS,
  })
}
