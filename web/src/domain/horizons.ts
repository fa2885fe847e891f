/** How long after its entry a call is judged. */

import type { Horizon } from "../api/types"

export const HORIZONS: readonly Horizon[] = ["1w", "1m", "3m", "6m", "1y"]
export const DEFAULT_HORIZON: Horizon = "3m"
/** The horizon of a channel’s verdict; the others are secondary, and their tests are corrected for being four. */
export const PRIMARY_HORIZON: Horizon = "3m"

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

/** The horizon in a URL, or else the reader's own default. */
export function horizonIn(search: URLSearchParams, own: Horizon = DEFAULT_HORIZON): Horizon {
  return HORIZONS.find((each) => each === search.get("horizon")) ?? own
}

/**
 * How an address names a horizon: not at all where it is three months and the reader has not chosen another default.
 * Links name a horizon that the reader chose, so that they show everyone the same.
 */
export function horizonParameter(horizon: Horizon, own: Horizon = DEFAULT_HORIZON): string | null {
  return horizon === DEFAULT_HORIZON && own === DEFAULT_HORIZON ? null : horizon
}

/** The search part of a link that keeps the horizon. */
export function horizonSearch(horizon: Horizon, own: Horizon = DEFAULT_HORIZON): string {
  const named = horizonParameter(horizon, own)
  return named ? `?horizon=${named}` : ""
}
