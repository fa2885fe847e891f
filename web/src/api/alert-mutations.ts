/** Settings of alerts, and what is watched. Both carry the version they were made from. */

import { useMutation, useQueryClient } from "@tanstack/react-query"
import { toggled, type Watched } from "../domain/watchlist"
import { alertSettingsQuery, watchlistQuery } from "./alert-queries"
import { api, unwrap, withTokenAsked } from "./client"
import { isTransient } from "./errors"
import { isOutdated } from "./evidence-mutations"
import { retryOnce } from "./mutations"
import type { AlertSettings, NewAlertSettings, TestDelivery, Watchlist } from "./types"

export function useSaveAlertSettings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (body: NewAlertSettings) =>
      (await unwrap(api.PUT("/api/alerts/settings", { body }))) as AlertSettings,
    retry: retryOnce,
    onSuccess: (saved) => client.setQueryData(alertSettingsQuery().queryKey, saved),
    onError: (error) => {
      if (isOutdated(error)) client.invalidateQueries({ queryKey: alertSettingsQuery().queryKey })
    },
  })
}

export function useSendTest() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => (await unwrap(api.POST("/api/alerts/settings/test"))) as TestDelivery,
    onSettled: () => client.invalidateQueries({ queryKey: alertSettingsQuery().queryKey }),
  })
}

const MOST_TRIES = 3

/** Adds to the present list or takes from it: when another tab was faster, to what that one left. */
export function useWatch() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: { what: Watched; isWatched: boolean }) => {
      const read = () => client.fetchQuery({ ...watchlistQuery(), staleTime: 0 })
      const present = await withTokenAsked(read)
      const body = toggled(present, change.what, change.isWatched)
      return (await unwrap(api.PUT("/api/watchlist", { body }))) as Watchlist
    },
    retry: (count, error) => count < MOST_TRIES - 1 && (isOutdated(error) || isTransient(error)),
    retryDelay: 200,
    onSuccess: (saved) => client.setQueryData(watchlistQuery().queryKey, saved),
  })
}
