/** Reviews of calls and uploaded transcripts, and what follows from them on the page. */

import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import { withoutMention } from "../review/reviews"
import { api, unwrap } from "./client"
import { ApiError, isTransient } from "./errors"
import { type CallPlace, callQuery } from "./evidence-queries"
import { keys } from "./queries"
import type { ChannelVideo, Mention, ReviewQueue, ReviewRequest } from "./types"

/** The score is recomputed shortly after a change, which may take a few seconds. */
const FOLLOW_UP_MILLISECONDS = [2_500, 7_000]
const followUps = new Map<string, ReturnType<typeof setTimeout>[]>()

export interface ReviewOfCall {
  place: CallPlace
  request: ReviewRequest
}

export function useReview() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ place: { channelId, videoId, ticker }, request }: ReviewOfCall) => {
      const params = { path: { channel_id: channelId, video_id: videoId, ticker } }
      const path = "/api/channels/{channel_id}/videos/{video_id}/calls/{ticker}"
      return (await unwrap(api.PUT(path, { params, body: { blind: true, ...request } }))) as Mention
    },
    // If it was sent twice, the second request conflicts with the first, which already stored the same answer.
    retry: (count, error) => count < 1 && isTransient(error),
    onSuccess: (mention, { place }) => {
      if (mention.review) leaveQueue(client, place.channelId, mention.id)
      refreshRecord(client, place.channelId)
    },
    onError: (error, { place }) => {
      if (isOutdated(error)) client.invalidateQueries({ queryKey: callQuery(place).queryKey })
    },
  })
}

/** True if somebody else has reviewed the call since it was read. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}

/** The file is sent as it is: what it is made of is for the API to tell. */
export function useUploadTranscript(channelId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ videoId, file }: { videoId: string; file: File }) => {
      const response = await unwrap(
        api.PUT("/api/channels/{channel_id}/videos/{video_id}/transcript", {
          params: { path: { channel_id: channelId, video_id: videoId } },
          headers: { "Content-Type": "application/octet-stream" },
          // The document describes a body of bytes as text.
          body: file as unknown as string,
          bodySerializer: (body) => body,
        }),
      )
      return response as ChannelVideo
    },
    retry: (count, error) => count < 1 && isTransient(error),
    onSuccess: () => refreshRecord(client, channelId),
  })
}

/** Everything shown of a channel, and what other pages show of it, now and again when the score has followed. */
function refreshRecord(client: QueryClient, channelId: string): void {
  const refetch = (andQueue: boolean) => {
    const isQueue = (key: readonly unknown[]) => key[2] === "queue"
    client.invalidateQueries({
      queryKey: keys.channel(channelId),
      // While somebody works through the queue, it is read again only when it is quiet.
      predicate: ({ queryKey }) => andQueue || !isQueue(queryKey),
    })
    for (const queryKey of [keys.leaderboard, ["stock-calls"]]) client.invalidateQueries({ queryKey })
  }
  for (const timer of followUps.get(channelId) ?? []) clearTimeout(timer)
  refetch(false)
  followUps.set(
    channelId,
    FOLLOW_UP_MILLISECONDS.map((milliseconds) => setTimeout(() => refetch(true), milliseconds)),
  )
}

/** Removes a reviewed call from the queue at once. */
function leaveQueue(client: QueryClient, channelId: string, mentionId: string): void {
  client.setQueriesData<InfiniteData<ReviewQueue>>(
    { queryKey: keys.queue(channelId) },
    (queue) => queue && { ...queue, pages: withoutMention(queue.pages, mentionId) },
  )
}
