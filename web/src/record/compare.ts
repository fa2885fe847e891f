/** Which channels are compared: their ids in the URL. */

import type { Horizon } from "../api/types"
import { DEFAULT_HORIZON } from "./horizons"

export const MAX_COMPARED = 4

/** The ids in `?channels=…`, each once, at most four. */
export function channelsIn(search: URLSearchParams): string[] {
  const ids = (search.get("channels") ?? "").split(",").filter(Boolean)
  return [...new Set(ids)].slice(0, MAX_COMPARED)
}

export function compareLink(ids: readonly string[], horizon: Horizon): string {
  const rest = horizon === DEFAULT_HORIZON ? "" : `&horizon=${horizon}`
  return `/compare?channels=${ids.join(",")}${rest}`
}
