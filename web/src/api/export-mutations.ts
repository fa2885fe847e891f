/** Begins, downloads and deletes exports. */

import { type InfiniteData, useMutation, useQueryClient } from "@tanstack/react-query"
import { downloadAddress } from "../exports/exports"
import { api, unwrap, withTokenAsked } from "./client"
import { ApiError, isNotFound } from "./errors"
import { readExport } from "./export-queries"
import { retryOnce, withIdempotencyKey } from "./mutations"
import { keys } from "./queries"
import type { Export, ExportsPage, NewExport } from "./types"

export function useBeginExport() {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async ({ key, ...body }: NewExport & { key: string }) => {
      const params = { header: { "Idempotency-Key": key } }
      return (await unwrap(api.POST("/api/exports", { params, body }))) as Export
    },
    retry: retryOnce,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.exports }),
  })
  return {
    ...mutation,
    begin: (body: NewExport, onSuccess: () => void) =>
      mutation.mutate(withIdempotencyKey(body), { onSuccess }),
  }
}

/** The browser saves the file; the page stays. */
export function useDownload() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      const { download_url } = await withTokenAsked(() => readExport(id))
      const address = downloadAddress(download_url, window.location.origin)
      if (!address) throw new ApiError(404, "The file is gone.")
      window.location.assign(address)
    },
    retry: retryOnce,
    // Deleted elsewhere, or expired.
    onError: (error) => isNotFound(error) && client.invalidateQueries({ queryKey: keys.exports }),
  })
}

export function useDeleteExport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (id: string) => {
      try {
        await unwrap(api.DELETE("/api/exports/{export_id}", { params: { path: { export_id: id } } }))
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    },
    retry: retryOnce,
    onSuccess: (_, id) => {
      client.setQueryData<InfiniteData<ExportsPage>>(
        keys.exports,
        (list) => list && { ...list, pages: list.pages.map((page) => without(page, id)) },
      )
      client.invalidateQueries({ queryKey: keys.exports })
    },
  })
}

function without(page: ExportsPage, id: string): ExportsPage {
  return { ...page, items: page.items.filter((each) => each.id !== id) }
}
