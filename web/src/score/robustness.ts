/** Answers to a sceptic's questions, in a sentence each. */

import type { HorizonScore } from "../api/types"
import { CALLS_FOR_A_VERDICT } from "../domain/verdicts"
import { counted, formatChange, formatCount, formatShare } from "../text/numbers"

const CHASES_FROM = 3
const WAITS_FROM = -3
/** A change of the entry that moves the mean excess by more than this share of it matters. */
const MATTERS = 0.25

export function describeRunUp(percent: number | null): string {
  if (percent === null) return "Not enough prices before its calls."
  if (percent >= CHASES_FROM)
    return "Its stocks had already beaten the market in the month before: it chases what has already risen."
  if (percent <= WAITS_FROM)
    return "Its stocks had fallen behind the market in the month before: it picks what has fallen."
  return "Its stocks had moved with the market in the month before: it does not chase."
}

/** From this share on most of its calls come after headlines of the same direction. */
const REPEATS_FROM = 0.5
const RARELY_BELOW = 0.1

export function describeFollowsNews(rate: number | null): string {
  if (rate === null) return "No news for this period."
  const came = "of its calls on stocks in the news came after at least two headlines of the same direction"
  if (rate >= REPEATS_FROM) return `Most ${came}: it repeats what the press has said.`
  if (rate >= RARELY_BELOW) return `Some ${came}, most did not.`
  return `${rate > 0 ? "Few" : "None"} ${came}: it does not repeat the press.`
}

export function describeWithoutBest(figures: HorizonScore): string {
  const { without_best_ticker: without, mean_excess_percent: mean } = figures
  if (!without || mean === null) return "There are no scored calls yet."
  if (without.mean_excess_percent === null) return `All scored calls are on ${without.ticker}.`
  const left = `Mean excess without ${without.ticker}; with it ${formatChange(mean)}.`
  return mean > 0 && without.mean_excess_percent <= 0 ? `${left} One stock carries the record.` : left
}

export function describeCallsNeeded(figures: HorizonScore, locale?: string): string {
  const { calls_needed: needed, independent_calls: independent } = figures
  if (needed === null || independent === null) return "It takes at least two scored calls to tell."
  const known = `Its calls are worth about ${formatCount(Math.round(independent), locale)} independent ones`
  const missing = needed - Math.round(independent)
  if (missing <= 0) return `${known}: enough to show an edge as small as 2%.`
  return `${known}: about ${counted(missing, "more is", "more are", locale)} needed to show an edge as small as 2%.`
}

export function describePlacebo(figures: HorizonScore, locale?: string): string {
  const { placebo_p_value: placebo, mean_excess_percent: mean, calls } = figures
  if (placebo === null || mean === null) return "Too short a time to try its stocks on other days."
  const outcome = mean < 0 ? "badly" : "well"
  const often = placebo < 0.01 ? `fewer than ${formatShare(0.01, locale)}` : formatShare(placebo, locale)
  const trials = `Moved to other days, the same calls did as ${outcome} in ${often} of trials`
  if (calls < CALLS_FOR_A_VERDICT) return `${trials}, which means little with so few calls.`
  return placebo <= 0.1 ? `${trials}: its timing matters.` : `${trials}: its timing adds nothing that shows.`
}

export function describeEntries({
  before_publication: before,
  ours,
}: HorizonScore["entry_sensitivity"]): string {
  if (before === null || ours === null) return "Not enough prices to compare entries."
  if (Math.abs(before - ours) <= Math.abs(ours) * MATTERS) return "The entry hardly changes the figure."
  if (before <= ours) return "A viewer who acted after the video did better than the price before it."
  return before > 0
    ? "Part of the gain was over before a viewer could act."
    : "A viewer who acted after the video did worse than the price before it."
}
