/** Queries for evidence: a call in its context, calls to review, a channel's videos, and the change log. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query"
import { isBeingRead, type VideoFilter } from "../videos/video-status"
import { api, unwrap } from "./client"
import { keys, pollInterval } from "./queries"
import type { CallInContext, ChangesPage, ChannelVideos, ReviewQueue } from "./types"

const CALLS_PER_PAGE = 50
const CHANGES_PER_PAGE = 50
const VIDEOS_PER_PAGE = 50
/** The most that the API gives at once. */
const MOST_VIDEOS = 100
const TABLE_POLL_MILLISECONDS = 4_000

/** A mention by its place: each video has one at most of a stock. */
export interface CallPlace {
  channelId: string
  videoId: string
  ticker: string
}

export function callQuery({ channelId, videoId, ticker }: CallPlace) {
  return queryOptions({
    queryKey: keys.part(channelId, "call", videoId, ticker),
    queryFn: async ({ signal }) => {
      const params = { path: { channel_id: channelId, video_id: videoId, ticker } }
      const path = "/api/channels/{channel_id}/videos/{video_id}/calls/{ticker}"
      return (await unwrap(api.GET(path, { params, signal }))) as CallInContext
    },
  })
}

export type QueueOrder = "doubt" | "sample"

/** Doubtful calls, or the sample. No order depends on outcomes, which would bend the score. */
export function reviewQueueQuery(id: string, order: QueueOrder) {
  return infiniteQueryOptions({
    queryKey: [...keys.queue(id), order],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        order,
        limit: CALLS_PER_PAGE,
        ...(pageParam ? { nextToken: pageParam } : {}),
      }
      const params = { path: { channel_id: id }, query }
      return (await unwrap(api.GET("/api/channels/{channel_id}/review", { params, signal }))) as ReviewQueue
    },
    getNextPageParam: (page) => page.nextToken,
  })
}

async function readVideos(
  id: string,
  query: { status?: VideoFilter; limit: number; nextToken?: string },
  signal?: AbortSignal,
): Promise<ChannelVideos> {
  const params = { path: { channel_id: id }, query }
  const options = signal ? { params, signal } : { params }
  return (await unwrap(api.GET("/api/channels/{channel_id}/videos", options))) as ChannelVideos
}

export function videosQuery(id: string, status: VideoFilter | null, running: boolean) {
  return infiniteQueryOptions({
    queryKey: keys.part(id, "videos", status),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const page = { limit: VIDEOS_PER_PAGE, ...(pageParam ? { nextToken: pageParam } : {}) }
      return readVideos(id, status ? { ...page, status } : page, signal)
    },
    getNextPageParam: (page) => page.nextToken,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => {
      const videos = query.state.data?.pages.flatMap(({ items }) => items) ?? []
      return pollInterval(query, running || videos.some(isBeingRead), TABLE_POLL_MILLISECONDS)
    },
  })
}

/** The channel's videos, page by page, for files whose videos may be on any of them. */
export async function* everyVideo(id: string) {
  let token: string | null = null
  do {
    const page: ChannelVideos = await readVideos(id, {
      limit: MOST_VIDEOS,
      ...(token ? { nextToken: token } : {}),
    })
    yield* page.items
    token = page.nextToken
  } while (token)
}

export function changesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: keys.part(id, "changes"),
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: CHANGES_PER_PAGE, ...(pageParam ? { nextToken: pageParam } : {}) }
      const params = { path: { channel_id: id }, query }
      return (await unwrap(api.GET("/api/channels/{channel_id}/changes", { params, signal }))) as ChangesPage
    },
    getNextPageParam: (page) => page.nextToken,
  })
}
