/** A channel's track record in a few numbers, from what the API says of its stocks and its videos. */

import type { ChannelStock, TimelineEntry } from "../api/types"
import { changePercent, mean, median, shareInterval } from "./change"
import { callsInOrder, firstMentions } from "./first-mentions"
import { countKinds, type Kind, type KindCounts } from "./kinds"

export const FEW_CALLS = 10

/** Of the calls of one kind: how many went the way they were meant to. */
export interface Outcome {
  total: number
  /** Those with a price on the day and one today; only they can be judged. */
  priced: number
  right: number
  share: number | null
  interval: [number, number] | null
}

export interface Summary {
  counts: KindCounts
  /** Buys, holds and sells: a mere mention is no call. */
  calls: number
  buysUp: Outcome
  sellsDown: Outcome
  /** Every stock counts once, from the day of its first buy-call. */
  sinceFirstBuy: { total: number; priced: number; mean: number | null; median: number | null }
  /** Too few judged buy-calls to tell skill from luck. */
  few: boolean
}

export function summarise(stocks: readonly ChannelStock[], timeline: readonly TimelineEntry[]): Summary {
  const prices = new Map(stocks.map((stock) => [stock.ticker, stock.current_price]))
  const mentions = callsInOrder(timeline).map(({ mention }) => mention)
  const changeOf = ({ ticker, price_at_mention }: { ticker: string; price_at_mention: number | null }) =>
    changePercent(price_at_mention, prices.get(ticker) ?? null)

  const outcome = (kind: Kind, isRight: (change: number) => boolean): Outcome => {
    const ofKind = mentions.filter((mention) => mention.sentiment === kind)
    const changes = ofKind.map(changeOf).filter((change) => change !== null)
    const right = changes.filter(isRight).length
    return {
      total: ofKind.length,
      priced: changes.length,
      right,
      share: changes.length ? right / changes.length : null,
      interval: shareInterval(right, changes.length),
    }
  }

  const counts = countKinds(mentions)
  const firstBuys = [...firstMentions(timeline, "buy").values()]
  const changes = firstBuys.map(({ mention }) => changeOf(mention)).filter((change) => change !== null)
  const buysUp = outcome("buy", (change) => change > 0)
  return {
    counts,
    calls: counts.buy + counts.hold + counts.sell,
    buysUp,
    sellsDown: outcome("sell", (change) => change < 0),
    sinceFirstBuy: {
      total: firstBuys.length,
      priced: changes.length,
      mean: mean(changes),
      median: median(changes),
    },
    few: buysUp.priced < FEW_CALLS,
  }
}
