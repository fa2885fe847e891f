/** How a summary was made and how sure it is, in sentences. */

import { formatDay } from "../text/dates"
import { formatShare } from "../text/numbers"
import type { Summary } from "./summary"

interface Circumstances {
  demo: boolean
  /** The day of the newest price, where it is known. */
  asOf: string | null
  locale?: string
}

export function howItWasMade(summary: Summary, { demo, asOf, locale }: Circumstances): string[] {
  const { buysUp, sinceFirstBuy } = summary
  const today = asOf ? `the newest price, of ${formatDay(asOf, locale)}` : "the newest price we have"
  const sentences = [
    `Each call is priced at the close on the day of its video and compared with ${today}.`,
    "The average starts at the first buy-call of each stock and counts every stock once.",
    demo
      ? "The demo’s prices are adjusted for splits and dividends."
      : "Dividends are not counted, and nothing is compared with an index: a rising market lifts most buys.",
  ]
  const unpriced = buysUp.total - buysUp.priced
  if (unpriced)
    sentences.push(`${inNumber(unpriced, "buy-call is", "buy-calls are")} left out for want of a price.`)
  if (sinceFirstBuy.total > sinceFirstBuy.priced && !unpriced)
    sentences.push("Stocks without a price are left out.")
  return sentences
}

export function howSureItIs({ buysUp, few }: Summary, locale?: string): string {
  if (!buysUp.interval) return "There is no buy-call with a price yet, so nothing can be said about skill."
  const [low, high] = buysUp.interval.map((share) => formatShare(share, locale))
  if (few) {
    const calls = inNumber(buysUp.priced, "priced buy-call is", "priced buy-calls are")
    return `${calls} too few to tell skill from luck: anything from ${low} to ${high} would fit them.`
  }
  return (
    `With ${buysUp.priced} priced buy-calls the true share of good ones may be anything from ${low} to ${high} ` +
    `(${formatShare(0.95, locale)} interval). Calls share one market, so the real doubt is larger.`
  )
}

function inNumber(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
