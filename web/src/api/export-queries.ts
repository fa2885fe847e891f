/** A person's exports. They are polled while one is being written. */

import { infiniteQueryOptions } from "@tanstack/react-query"
import { isOpen } from "../exports/exports"
import { api, unwrap } from "./client"
import { keys, pollInterval } from "./queries"
import type { ExportInFull, ExportsPage } from "./types"

const EXPORTS_PER_PAGE = 20

export function exportsQuery() {
  return infiniteQueryOptions({
    queryKey: keys.exports,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: EXPORTS_PER_PAGE, ...(pageParam ? { nextToken: pageParam } : {}) }
      return (await unwrap(api.GET("/api/exports", { params: { query }, signal }))) as ExportsPage
    },
    getNextPageParam: (page) => page.nextToken,
    refetchInterval: (query) =>
      pollInterval(
        query,
        query.state.data?.pages.some(({ items }) => items.some(isOpen)),
      ),
  })
}

/** Read when it is to be downloaded: on AWS the link in it lasts for ten minutes. */
export async function readExport(id: string): Promise<ExportInFull> {
  const params = { path: { export_id: id } }
  return (await unwrap(api.GET("/api/exports/{export_id}", { params }))) as ExportInFull
}
