/** Which channels are compared, by their ids in the URL, and their places in the leaderboard. */

import type { Horizon, LeaderboardEntry, Scorecard } from "../api/types"
import { horizonParameter } from "../domain/horizons"

export const MAX_COMPARED = 4

/** The ids in `?channels=…`, each once, at most four. */
export function channelsIn(search: URLSearchParams): string[] {
  const ids = (search.get("channels") ?? "").split(",").filter(Boolean)
  return [...new Set(ids)].slice(0, MAX_COMPARED)
}

/** A channel's place in the leaderboard: null without one, undefined until it is known. Without a score it is not looked for. */
export function entryOf(
  score: Pick<Scorecard, "computed_at"> | undefined,
  standing: LeaderboardEntry | null | undefined,
): LeaderboardEntry | null | undefined {
  return score?.computed_at === null ? null : standing
}

export function compareLink(ids: readonly string[], horizon: Horizon, own?: Horizon): string {
  const named = horizonParameter(horizon, own)
  return `/compare?channels=${ids.join(",")}${named ? `&horizon=${named}` : ""}`
}
