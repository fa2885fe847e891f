/** The four kinds of mention. Each has a colour, a shape and a letter, so none relies on colour alone. */

import type { ChannelStock, Sentiment } from "../api/types"

export type Kind = Sentiment
export type KindCounts = Record<Kind, number>

export const KINDS: readonly Kind[] = ["buy", "hold", "sell", "mentioned"]

export const LABELS: Record<Kind, string> = { buy: "Buy", hold: "Hold", sell: "Sell", mentioned: "Mentioned" }
export const LETTERS: Record<Kind, string> = { buy: "B", hold: "H", sell: "S", mentioned: "M" }

const NO_MENTIONS: Readonly<KindCounts> = { buy: 0, hold: 0, sell: 0, mentioned: 0 }

export function countsOf(stock: ChannelStock): KindCounts {
  return {
    buy: stock.buy_count,
    hold: stock.hold_count,
    sell: stock.sell_count,
    mentioned: stock.mentioned_count,
  }
}

export function countKinds(mentions: Iterable<{ sentiment: Kind }>): KindCounts {
  const counts = { ...NO_MENTIONS }
  for (const { sentiment } of mentions) counts[sentiment] += 1
  return counts
}

export function describeCounts(counts: KindCounts): string {
  return KINDS.map((kind) => `${counts[kind]} ${LABELS[kind].toLowerCase()}`).join(", ")
}
