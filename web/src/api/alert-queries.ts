/** Alerts, who wants them, and what is watched. */

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, unwrap } from "./client"
import type { AlertKind, AlertSettings, AlertsPage, Watchlist } from "./types"

const ALERTS_PER_PAGE = 30

export function alertsQuery(kind: AlertKind | null) {
  return infiniteQueryOptions({
    queryKey: ["alerts", { kind }],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        limit: ALERTS_PER_PAGE,
        ...(kind ? { kind } : {}),
        ...(pageParam ? { nextToken: pageParam } : {}),
      }
      return (await unwrap(api.GET("/api/alerts", { params: { query }, signal }))) as AlertsPage
    },
    getNextPageParam: (page) => page.nextToken,
    placeholderData: keepPreviousData,
  })
}

export function alertSettingsQuery() {
  return queryOptions({
    queryKey: ["alert settings"],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET("/api/alerts/settings", { signal }))) as AlertSettings,
  })
}

export function watchlistQuery() {
  return queryOptions({
    queryKey: ["watchlist"],
    queryFn: async ({ signal }) => (await unwrap(api.GET("/api/watchlist", { signal }))) as Watchlist,
    staleTime: 60_000,
    // Refused for lack of a token, it would be again.
    retryOnMount: false,
  })
}
