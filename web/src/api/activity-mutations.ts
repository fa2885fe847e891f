/** How often a channel is checked, and plans made and cancelled. */

import { useMutation, useQueryClient } from "@tanstack/react-query"
import { planQuery } from "./activity-queries"
import { api, unwrap } from "./client"
import { retryOnce, withIdempotencyKey } from "./mutations"
import { channelQuery, keys } from "./queries"
import type { Channel, CheckEvery, NewTask, Plan } from "./types"

export function useCheckEvery(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (check_every: CheckEvery) => {
      const params = { path: { channel_id: id } }
      return (await unwrap(
        api.PATCH("/api/channels/{channel_id}", { params, body: { check_every } }),
      )) as Channel
    },
    retry: retryOnce,
    onSuccess: (channel) => {
      client.setQueryData(channelQuery(id).queryKey, channel)
      client.invalidateQueries({ queryKey: keys.lists })
    },
  })
}

export interface NewPlan {
  name: string
  tasks: NewTask[]
}

export function useCreatePlan() {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key, ...body }: NewPlan & { key: string }) =>
      (await unwrap(
        api.POST("/api/plans", { body, params: { header: { "Idempotency-Key": key } } }),
      )) as Plan,
    retry: retryOnce,
    onSuccess: (plan) => {
      client.setQueryData(planQuery(plan.id).queryKey, plan)
      return client.invalidateQueries({ queryKey: keys.plans })
    },
  })
  return {
    ...mutation,
    create: (plan: NewPlan, onSuccess: (created: Plan) => void) =>
      mutation.mutate(withIdempotencyKey(plan), { onSuccess }),
  }
}

export function useCancelPlan(id: string) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key }: { key: string }) => {
      const params = { path: { plan_id: id }, header: { "Idempotency-Key": key } }
      return (await unwrap(api.POST("/api/plans/{plan_id}/cancel", { params }))) as Plan
    },
    retry: retryOnce,
    onSuccess: (plan) => client.setQueryData(planQuery(id).queryKey, plan),
    onSettled: () => client.invalidateQueries({ queryKey: keys.plans }),
  })
  return {
    ...mutation,
    cancel: (onSuccess: () => void) => mutation.mutate(withIdempotencyKey({}), { onSuccess }),
  }
}
