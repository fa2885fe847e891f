/** The verdict on a channel, in words, and why. */

import type { Horizon, LeaderboardEntry, Verdict } from "../api/types"
import { counted, formatChange, formatCount, formatPercentRange, formatShare } from "../text/numbers"
import type { Tone } from "./calls"
import { HORIZON_WORDS, PRIMARY_HORIZON } from "./horizons"

export const VERDICTS: readonly Verdict[] = [
  "beats_market",
  "lags_market",
  "like_its_stocks",
  "not_proven",
  "read_too_poorly",
  "too_few_calls",
]

export const VERDICT_LABELS: Record<Verdict, string> = {
  beats_market: "Beats the market",
  lags_market: "Lags the market",
  like_its_stocks: "Like its stocks",
  not_proven: "Not proven",
  read_too_poorly: "Read too poorly",
  too_few_calls: "Too few calls",
}

/** The explanation after a label that needs one. */
export const VERDICT_REMARKS: Partial<Record<Verdict, string>> = {
  like_its_stocks: "so did they at other times",
  not_proven: "could be luck",
}

/** Figures take the colour of the verdict on them: what may be luck is neither green nor red. */
export function verdictTone(verdict: Verdict | undefined): Tone {
  if (verdict === "beats_market") return "up"
  return verdict === "lags_market" ? "down" : "flat"
}

export const CALLS_FOR_A_VERDICT = 20
const DAYS_FOR_A_TEST = 60
/** The highest p and q that are not put down to luck. */
const LUCK_LIMIT = 0.1

export type Judged = Pick<
  LeaderboardEntry,
  | "verdict"
  | "calls"
  | "pending"
  | "mean_excess_percent"
  | "excess_low_percent"
  | "excess_high_percent"
  | "joint_p_value"
  | "q_value"
  | "independent_calls"
  | "flips_to_turn"
>

/** Why the verdict is what it is, in two sentences. `callsNeeded` is for a channel whose figures prove nothing. */
export function explainVerdict(
  judged: Judged,
  horizon: Horizon,
  callsNeeded: number | null,
  locale?: string,
): string {
  const what = result(judged, horizon, locale)
  switch (judged.verdict) {
    case "beats_market":
      return `${what} ${chanceOfLuck(judged, locale)}, and its stocks did worse at other times.`
    case "lags_market":
      return `${what} ${chanceOfLuck(judged, locale)}, and its stocks did better at other times.`
    case "like_its_stocks":
      return `${what} ${likeItsStocks(judged)}`
    case "not_proven":
      return `${what} ${couldBeLuck(judged, callsNeeded, locale)}`
    case "read_too_poorly":
      return `${what} But too many of its calls may have been misread to judge it.`
    case "too_few_calls":
      return tooFew(judged, horizon, locale)
  }
}

function result(judged: Judged, horizon: Horizon, locale?: string): string {
  const { calls, mean_excess_percent: mean, excess_low_percent: low, excess_high_percent: high } = judged
  const followed = `Over ${HORIZON_WORDS[horizon]}, its ${counted(calls, "scored call", "scored calls", locale)}`
  const range =
    low === null || high === null ? "" : ` (probably between ${formatPercentRange(low, high, locale)})`
  if (mean === null) return `${followed} have no result yet.`
  const size = formatChange(Math.abs(mean), locale).replace("+", "")
  return `${followed} did ${size} ${mean < 0 ? "worse" : "better"} than the S&P 500 on average${range}.`
}

function likeItsStocks({ mean_excess_percent: mean }: Judged): string {
  const what = (mean ?? 0) < 0 ? "bad picking or bad luck" : "good picking or hindsight"
  return `So would its stocks have at other times: that can be ${what}, and this record cannot tell them apart.`
}

function couldBeLuck(judged: Judged, callsNeeded: number | null, locale?: string): string {
  const luck = chanceOfLuck(judged, locale)
  if (callsNeeded === null) return `${luck}.`
  return `${luck}; it would take about ${formatCount(callsNeeded, locale)} independent calls to show an edge of 2%.`
}

/** The p-value of both questions together, alpha and timing, since a verdict needs both. */
function chanceOfLuck({ joint_p_value: p, q_value: q }: Judged, locale?: string): string {
  if (p === null) return "A channel with no skill could do this"
  const often = p < 0.01 ? `less than ${formatShare(0.01, locale)}` : `about ${formatShare(p, locale)}`
  const luck = `A channel with no skill would do this ${often} of the time`
  const isRareAlone = p <= LUCK_LIMIT && q !== null && q > LUCK_LIMIT
  return isRareAlone ? `${luck}, but among so many channels compared some do this by chance` : luck
}

/** The limits of a verdict, a sentence each. */
export function verdictLimits(judged: Judged, horizon: Horizon, locale?: string): string[] {
  return [
    ...describeWeight(judged, locale),
    ...describeTurn(judged, locale),
    ...(horizon === PRIMARY_HORIZON ? [] : [SECONDARY_NOTE]),
  ]
}

function describeWeight({ calls, independent_calls: independent }: Judged, locale?: string): string[] {
  if (independent === null || calls < 2) return []
  const worth = formatCount(Math.max(1, Math.round(independent)), locale)
  return [
    `${counted(calls, "call", "calls", locale)}, worth about ${worth} independent ${worth === "1" ? "one" : "ones"}.`,
  ]
}

/** Only a verdict on skill can be turned. */
function describeTurn({ verdict, calls, flips_to_turn: flips }: Judged, locale?: string): string[] {
  if (flips === null || (verdict !== "beats_market" && verdict !== "lags_market")) return []
  if (flips === 0)
    return ["The interval of its mean excess reaches zero, so the verdict rests on alpha alone."]
  const some = inWords(flips, locale)
  return [
    `${some} misread ${flips === 1 ? "call" : "calls"} of ${formatCount(calls, locale)} would turn this verdict.`,
  ]
}

const NUMBERS = ["", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]

function inWords(count: number, locale?: string): string {
  return NUMBERS[count] ?? formatCount(count, locale)
}

/** True for a verdict on skill without a checked sample of calls behind it. */
export function isUnchecked({
  verdict,
  right_source: source,
}: Pick<LeaderboardEntry, "verdict" | "right_source">): boolean {
  return verdict !== "too_few_calls" && verdict !== "not_proven" && source !== "reviews"
}

export const SECONDARY_NOTE =
  "A secondary horizon: anyone who looks at four of them finds luck more often, so it has to do better here than at three months to get a verdict."

/** Also a channel with enough calls is not judged where they leave no p-value. */
function tooFew({ calls, pending }: Judged, horizon: Horizon, locale?: string): string {
  const lacking =
    calls < CALLS_FOR_A_VERDICT
      ? `and a verdict needs ${CALLS_FOR_A_VERDICT}`
      : `but they were held on too few days for a test (${DAYS_FOR_A_TEST} are needed)`
  const scored = `${counted(calls, "call is", "calls are", locale)} scored at ${HORIZON_WORDS[horizon]}, ${lacking}.`
  if (!pending) return `${scored} None are pending.`
  return `${scored} ${counted(pending, "more is", "more are", locale)} pending: too early to tell.`
}
