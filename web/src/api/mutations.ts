/** The changes a reader can make, and the queries each of them invalidates. */

import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, unwrap } from "./client"
import { isTransient } from "./errors"
import { channelQuery, keys } from "./queries"
import type { Channel, ChannelPage, Leaderboard, Prices } from "./types"

type LeaderboardPages = InfiniteData<Leaderboard>

export interface NewChannel {
  url: string
  time_range_months: number
}

/** A retry after a broken connection carries the same key, so the change is made once. */
export function withIdempotencyKey<Body extends object>(variables: Body): Body & { key: string } {
  const random = crypto.getRandomValues(new Uint32Array(4))
  return { ...variables, key: Array.from(random, (part) => part.toString(16).padStart(8, "0")).join("") }
}

export const retryOnce = (count: number, error: Error) => count < 1 && isTransient(error)

export function useAddChannel() {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key, ...body }: NewChannel & { key: string }) =>
      (await unwrap(
        api.POST("/api/channels", { body, params: { header: { "Idempotency-Key": key } } }),
      )) as Channel,
    retry: retryOnce,
    onSuccess: (channel) => {
      client.setQueryData(channelQuery(channel.id).queryKey, channel)
      return invalidateLists(client)
    },
  })
  return {
    ...mutation,
    add: (channel: NewChannel, onSuccess: (added: Channel) => void) =>
      mutation.mutate(withIdempotencyKey(channel), { onSuccess }),
  }
}

export function useChannelAction(id: string, action: "process" | "cancel") {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key }: { key: string }) => {
      const params = { path: { channel_id: id }, header: { "Idempotency-Key": key } }
      return (await unwrap(api.POST(`/api/channels/{channel_id}/${action}`, { params }))) as Channel
    },
    retry: retryOnce,
    onSuccess: (channel) => client.setQueryData(channelQuery(id).queryKey, channel),
    onSettled: () => invalidateRuns(client, id),
  })
  return { ...mutation, run: () => mutation.mutate(withIdempotencyKey({})) }
}

/** Reads the kept transcripts with the present analyst; nothing is fetched. */
export function useReread(id: string) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key }: { key: string }) => {
      const params = { path: { channel_id: id }, header: { "Idempotency-Key": key } }
      const body = { reread: true }
      return (await unwrap(api.POST("/api/channels/{channel_id}/process", { params, body }))) as Channel
    },
    retry: retryOnce,
    onSuccess: (channel) => client.setQueryData(channelQuery(id).queryKey, channel),
    onSettled: () => invalidateRuns(client, id),
  })
  return {
    ...mutation,
    reread: (onSuccess: () => void) => mutation.mutate(withIdempotencyKey({}), { onSuccess }),
  }
}

export function useRefreshPrices(id: string) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key }: { key: string }) => {
      const params = { path: { channel_id: id }, header: { "Idempotency-Key": key } }
      return (await unwrap(api.POST("/api/channels/{channel_id}/refresh-prices", { params }))) as Prices
    },
    retry: retryOnce,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.part(id, "stocks") }),
  })
  return {
    ...mutation,
    refresh: (onSuccess: (prices: Prices) => void) => mutation.mutate(withIdempotencyKey({}), { onSuccess }),
  }
}

export function useDeleteChannel(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await unwrap(api.DELETE("/api/channels/{channel_id}", { params: { path: { channel_id: id } } }))
    },
    // A request in flight would only report that the channel is gone.
    onMutate: () => client.cancelQueries({ queryKey: keys.channel(id) }),
    onSuccess: () => {
      client.setQueriesData<ChannelPage>({ queryKey: keys.lists }, (page) => page && without(page, id))
      client.setQueriesData<LeaderboardPages>(
        { queryKey: keys.leaderboard },
        (board) => board && { ...board, pages: board.pages.map((page) => withoutEntry(page, id)) },
      )
      return invalidateLists(client)
    },
  })
}

/** A channel, and the runs over all of them. */
function invalidateRuns(client: QueryClient, id: string): Promise<unknown> {
  return Promise.all([keys.channel(id), keys.runs].map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** Every list of channels: pages, search and comparison, leaderboard. */
function invalidateLists(client: QueryClient): Promise<unknown> {
  const lists = [keys.lists, keys.everyChannel, keys.leaderboard, keys.runs, ["search"]]
  return Promise.all(lists.map((queryKey) => client.invalidateQueries({ queryKey })))
}

function withoutEntry(page: Leaderboard, id: string): Leaderboard {
  return { ...page, items: page.items.filter(({ channel }) => channel.id !== id) }
}

function without(page: ChannelPage, id: string): ChannelPage {
  const items = page.items.filter((channel) => channel.id !== id)
  return { ...page, items, total: page.total - 1 }
}
