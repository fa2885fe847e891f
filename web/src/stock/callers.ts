/** Who called a stock, with what came of it. */

import type { Channel, StockCall } from "../api/types"
import { counted, formatCount } from "../text/numbers"

export interface Caller {
  channel: Channel
  buys: number
  sells: number
  /** How many scored calls beat the market. */
  right: number
  scored: number
  pending: number
  meanExcess: number | null
  newest: string
}

/** A row per channel, the one with the newest call first. */
export function callersOf(calls: readonly StockCall[]): Caller[] {
  const groups = new Map<string, StockCall[]>()
  for (const call of calls) groups.set(call.channel.id, [...(groups.get(call.channel.id) ?? []), call])
  return [...groups.values()].flatMap(summarise).sort((one, other) => (one.newest > other.newest ? -1 : 1))
}

/** The calls that figures are over. While older ones are not loaded, the newest only. */
export function describeLoaded(count: number, hasOlder: boolean, locale?: string): string {
  if (!hasOlder) return counted(count, "call", "calls", locale)
  return count === 1 ? "The newest call" : `The newest ${formatCount(count, locale)} calls`
}

function summarise(calls: readonly StockCall[]): Caller[] {
  const first = calls[0]
  if (!first) return []
  const excess = calls.flatMap(({ excess_percent }) => excess_percent ?? [])
  return [
    {
      channel: first.channel,
      buys: calls.filter(({ sentiment }) => sentiment === "buy").length,
      sells: calls.filter(({ sentiment }) => sentiment === "sell").length,
      right: excess.filter((each) => each > 0).length,
      scored: excess.length,
      pending: calls.filter(({ status }) => status === "pending").length,
      meanExcess: excess.length ? excess.reduce((sum, each) => sum + each, 0) / excess.length : null,
      newest: calls
        .map(({ published_at }) => published_at)
        .reduce((one, other) => (one > other ? one : other)),
    },
  ]
}
