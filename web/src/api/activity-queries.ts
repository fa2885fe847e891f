/** Runs, the attempts at a video, and plans. What is under way is polled, while the tab is visible. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query"
import { isUnderWay } from "../domain/runs"
import { MOST_BOXES } from "../plans/plan-graph"
import { isPlanRunning } from "../plans/plans"
import { api, unwrap } from "./client"
import { keys, pollInterval } from "./queries"
import type { AttemptsPage, Plan, PlansPage, Run, RunStatus, RunsPage } from "./types"

const RUNS_PER_PAGE = 20
const PLANS_PER_PAGE = 20
/** A refetch reads every loaded page again, so a long list is not followed. */
const MOST_POLLED_PAGES = 3
const LARGE_PLAN_POLL_MILLISECONDS = 5_000

interface RunFilter {
  /** Without one: over all channels. */
  channelId?: string | undefined
  status?: RunStatus | null | undefined
}

async function readRuns({ channelId, status }: RunFilter, nextToken: string | null, signal: AbortSignal) {
  const page = { limit: RUNS_PER_PAGE, ...(nextToken ? { nextToken } : {}) }
  if (channelId) {
    const params = { path: { channel_id: channelId }, query: page }
    return (await unwrap(api.GET("/api/channels/{channel_id}/runs", { params, signal }))) as RunsPage
  }
  const params = { query: status ? { ...page, status } : page }
  return (await unwrap(api.GET("/api/runs", { params, signal }))) as RunsPage
}

/** `isBegun`: whether a run is known to be under way that the list may not have yet. */
export function runsQuery(filter: RunFilter, isBegun = false) {
  const { channelId, status } = filter
  return infiniteQueryOptions({
    queryKey: channelId ? keys.part(channelId, "runs") : [...keys.runs, { status }],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => readRuns(filter, pageParam, signal),
    getNextPageParam: (page) => page.nextToken,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? []
      const followed = isBegun || pages.some(({ items }) => items.some(isUnderWay))
      return pollInterval(query, followed && pages.length <= MOST_POLLED_PAGES)
    },
  })
}

export function runQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.runs, "one", id],
    queryFn: async ({ signal }) => {
      const params = { path: { run_id: id } }
      return (await unwrap(api.GET("/api/runs/{run_id}", { params, signal }))) as Run
    },
    refetchInterval: (query) => {
      const run = query.state.data
      return pollInterval(query, run !== undefined && isUnderWay(run))
    },
  })
}

export function attemptsQuery(channelId: string, videoId: string) {
  return infiniteQueryOptions({
    queryKey: keys.part(channelId, "attempts", videoId),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: RUNS_PER_PAGE, ...(pageParam ? { nextToken: pageParam } : {}) }
      const params = { path: { channel_id: channelId, video_id: videoId }, query }
      const path = "/api/channels/{channel_id}/videos/{video_id}/runs"
      return (await unwrap(api.GET(path, { params, signal }))) as AttemptsPage
    },
    getNextPageParam: (page) => page.nextToken,
  })
}

export function plansQuery() {
  return infiniteQueryOptions({
    queryKey: [...keys.plans, "list"],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PLANS_PER_PAGE, ...(pageParam ? { nextToken: pageParam } : {}) }
      return (await unwrap(api.GET("/api/plans", { params: { query }, signal }))) as PlansPage
    },
    getNextPageParam: (page) => page.nextToken,
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? []
      const running = pages.some(({ items }) => items.some(isPlanRunning))
      return pollInterval(query, running && pages.length <= MOST_POLLED_PAGES)
    },
  })
}

export function planQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.plans, "one", id],
    queryFn: async ({ signal }) => {
      const params = { path: { plan_id: id } }
      return (await unwrap(api.GET("/api/plans/{plan_id}", { params, signal }))) as Plan
    },
    refetchInterval: (query) => {
      const plan = query.state.data
      const isLarge = (plan?.total ?? 0) > MOST_BOXES
      return isLarge
        ? pollInterval(query, isPlanRunning(plan), LARGE_PLAN_POLL_MILLISECONDS)
        : pollInterval(query, isPlanRunning(plan))
    },
  })
}
