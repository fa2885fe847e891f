/** What the reader can change, and what has to be read again afterwards. */

import { useMutation, useQueryClient } from "@tanstack/react-query"
import { answered, api } from "./client"
import { isPassing } from "./problems"
import { channelQuery, keys } from "./queries"
import type { Channel, ChannelPage } from "./types"

export interface NewChannel {
  url: string
  time_range_months: number
}

/** A repeat after a broken connection carries the same key, so that it is done once. */
function idempotent<Body extends object>(variables: Body): Body & { key: string } {
  const random = crypto.getRandomValues(new Uint32Array(4))
  return { ...variables, key: Array.from(random, (part) => part.toString(16).padStart(8, "0")).join("") }
}

const retryOnce = (count: number, problem: Error) => count < 1 && isPassing(problem)

export function useAddChannel() {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key, ...body }: NewChannel & { key: string }) =>
      (await answered(
        api.POST("/api/channels", { body, params: { header: { "Idempotency-Key": key } } }),
      )) as Channel,
    retry: retryOnce,
    onSuccess: (channel) => {
      client.setQueryData(channelQuery(channel.id).queryKey, channel)
      return client.invalidateQueries({ queryKey: keys.lists })
    },
  })
  return {
    ...mutation,
    add: (channel: NewChannel, onSuccess: (added: Channel) => void) =>
      mutation.mutate(idempotent(channel), { onSuccess }),
  }
}

export function useChannelAction(id: string, action: "process" | "cancel") {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key }: { key: string }) => {
      const params = { path: { channel_id: id }, header: { "Idempotency-Key": key } }
      return (await answered(api.POST(`/api/channels/{channel_id}/${action}`, { params }))) as Channel
    },
    retry: retryOnce,
    onSuccess: (channel) => client.setQueryData(channelQuery(id).queryKey, channel),
    onSettled: () => client.invalidateQueries({ queryKey: keys.channel(id) }),
  })
  return { ...mutation, act: () => mutation.mutate(idempotent({})) }
}

export function useRefreshPrices(id: string) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key }: { key: string }) => {
      const params = { path: { channel_id: id }, header: { "Idempotency-Key": key } }
      return await answered(api.POST("/api/channels/{channel_id}/refresh-prices", { params }))
    },
    retry: retryOnce,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.part(id, "stocks") }),
  })
  return {
    ...mutation,
    refresh: (onSuccess: (count: number) => void) =>
      mutation.mutate(idempotent({}), {
        onSuccess: (answer) => onSuccess(Object.keys(answer?.prices ?? {}).length),
      }),
  }
}

export function useDeleteChannel(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await answered(api.DELETE("/api/channels/{channel_id}", { params: { path: { channel_id: id } } }))
    },
    // What is on its way would only be told that the channel is gone.
    onMutate: () => client.cancelQueries({ queryKey: keys.channel(id) }),
    onSuccess: () => {
      client.setQueriesData<ChannelPage>({ queryKey: keys.lists }, (page) => page && without(page, id))
      return client.invalidateQueries({ queryKey: keys.lists })
    },
  })
}

function without(page: ChannelPage, id: string): ChannelPage {
  const items = page.items.filter((channel) => channel.id !== id)
  return { ...page, items, total: page.total - 1 }
}
