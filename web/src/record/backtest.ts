/** The ways to follow a channel, and what trading may cost. */

import type { Strategy } from "../api/types"

export const STRATEGIES: readonly Strategy[] = ["follow", "long_short", "inverse"]
export const DEFAULT_STRATEGY: Strategy = "follow"

export const STRATEGY_LABELS: Record<Strategy, string> = {
  follow: "Follow its buys",
  long_short: "Buys and sells",
  inverse: "Do the opposite",
}

export const STRATEGY_NOTES: Record<Strategy, string> = {
  follow: "Buys what it calls a buy, until the horizon or until it says to sell.",
  long_short: "Buys what it calls a buy and bets against what it calls a sell.",
  inverse: "Bets against its buys and buys what it calls a sell.",
}

/** In hundredths of a percent of what is traded. */
export const COSTS: readonly number[] = [0, 10, 25, 50, 100]
export const DEFAULT_COSTS = 10

export function strategyIn(search: URLSearchParams): Strategy {
  return STRATEGIES.find((each) => each === search.get("strategy")) ?? DEFAULT_STRATEGY
}

export function costsIn(search: URLSearchParams): number {
  return COSTS.find((each) => String(each) === search.get("costs")) ?? DEFAULT_COSTS
}
