/** The verdict on a channel, in words, and why. */

import type { Horizon, LeaderboardEntry, Verdict } from "../api/types"
import { counted, formatChange, formatCount, formatPercentRange, formatShare } from "../text/numbers"
import type { Tone } from "./calls"
import { HORIZON_WORDS } from "./horizons"

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

/** What follows a label that needs explaining. */
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
  | "alpha_percent"
  | "p_value"
  | "q_value"
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
      return `${what} Luck alone would hardly do that, and its stocks did worse at other times.`
    case "lags_market":
      return `${what} Bad luck alone would hardly do that, and its stocks did better at other times.`
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

function chanceOfLuck({ p_value: p, q_value: q }: Judged, locale?: string): string {
  if (p === null) return "A channel without any skill could look like this"
  const often = p < 0.01 ? `less than ${formatShare(0.01, locale)}` : `about ${formatShare(p, locale)}`
  const luck = `A channel without any skill would look like this, or further from the market, ${often} of the time`
  const isRareAlone = p <= LUCK_LIMIT && q !== null && q > LUCK_LIMIT
  return isRareAlone ? `${luck}, but among so many channels compared some look like this by chance` : luck
}

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
