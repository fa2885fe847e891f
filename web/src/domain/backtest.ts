/** The ways to follow a channel, and what trading may cost. */

import type { Strategy } from "../api/types"
import { formatNumber } from "../text/numbers"

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
export const MAX_COSTS = 10_000

/** The amount invested at the first entry, in dollars. */
export const DEFAULT_AMOUNT = 10_000
const MAX_AMOUNT = 1_000_000_000

export function amountIn(search: URLSearchParams): number {
  const amount = Number(search.get("amount") ?? Number.NaN)
  return amount >= 1 && amount <= MAX_AMOUNT ? amount : DEFAULT_AMOUNT
}

export function amountParameter(amount: number): string | null {
  return amount === DEFAULT_AMOUNT || !(amount >= 1 && amount <= MAX_AMOUNT) ? null : String(amount)
}

export function strategyIn(search: URLSearchParams): Strategy {
  return STRATEGIES.find((each) => each === search.get("strategy")) ?? DEFAULT_STRATEGY
}

/** The costs in a URL, or else the reader's own default. */
export function costsIn(search: URLSearchParams, own = DEFAULT_COSTS): number {
  const named = search.get("costs")
  const costs = named ? Number(named) : Number.NaN
  return costs >= 0 && costs <= MAX_COSTS ? costs : own
}

/** How an address names the costs, by the same rule as the horizon. */
export function costsParameter(costs: number, own = DEFAULT_COSTS): string | null {
  return costs === DEFAULT_COSTS && own === DEFAULT_COSTS ? null : String(costs)
}

/** The options of a select: the usual ones, plus the current one if it is not among them. */
export function withPresent(choices: readonly number[], present: number): number[] {
  return [...new Set([...choices, present])].sort((one, other) => one - other)
}

/** For instance "none" or "0.10%". */
export function formatCosts(basisPoints: number, locale?: string): string {
  return basisPoints === 0 ? "none" : `${formatNumber(basisPoints / 100, 2, locale)}%`
}
