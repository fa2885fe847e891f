/** How long after its entry a call is judged. */

import type { Horizon } from "../api/types"

export const HORIZONS: readonly Horizon[] = ["1w", "1m", "3m", "6m", "1y"]
export const DEFAULT_HORIZON: Horizon = "3m"

/** In words, for sentences: "over three months". */
export const HORIZON_WORDS: Record<Horizon, string> = {
  "1w": "one week",
  "1m": "one month",
  "3m": "three months",
  "6m": "six months",
  "1y": "one year",
}

export const HORIZON_LABELS: Record<Horizon, string> = {
  "1w": "1 week",
  "1m": "1 month",
  "3m": "3 months",
  "6m": "6 months",
  "1y": "1 year",
}

/** The horizon in a URL, or three months. */
export function horizonIn(search: URLSearchParams): Horizon {
  return HORIZONS.find((each) => each === search.get("horizon")) ?? DEFAULT_HORIZON
}

/** The search part of a link that keeps the horizon; nothing for the default. */
export function horizonSearch(horizon: Horizon): string {
  return horizon === DEFAULT_HORIZON ? "" : `?horizon=${horizon}`
}
