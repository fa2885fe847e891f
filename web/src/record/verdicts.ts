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
  "too_few_calls",
]

export const VERDICT_LABELS: Record<Verdict, string> = {
  beats_market: "Beats the market",
  lags_market: "Lags the market",
  like_its_stocks: "Like its stocks",
  not_proven: "Not proven",
  too_few_calls: "Too few calls",
}

/** What follows a label that needs explaining. */
export const VERDICT_REMARKS: Partial<Record<Verdict, string>> = {
  like_its_stocks: "they did as well on any other day",
  not_proven: "could be luck",
}

/** For instance "Not proven: could be luck". */
export function verdictSentence(verdict: Verdict): string {
  const remark = VERDICT_REMARKS[verdict]
  return remark ? `${VERDICT_LABELS[verdict]}: ${remark}` : VERDICT_LABELS[verdict]
}

/** Figures take the colour of the verdict on them: what may be luck is neither green nor red. */
export function verdictTone(verdict: Verdict | undefined): Tone {
  if (verdict === "beats_market") return "up"
  return verdict === "lags_market" ? "down" : "flat"
}

export const CALLS_FOR_A_VERDICT = 20
const PLACEBO_LIMIT = 0.1

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
  | "placebo_p_value"
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
      return `${what} Luck alone would hardly do that, and the same stocks called on other days did worse.`
    case "lags_market":
      return `${what} Bad luck alone would hardly do that, and the same stocks called on other days did better.`
    case "like_its_stocks":
      return `${what} ${likeItsStocks(judged, locale)}`
    case "not_proven":
      return `${what} ${couldBeLuck(judged, callsNeeded, locale)}`
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

function likeItsStocks({ placebo_p_value: placebo, alpha_percent: alpha }: Judged, locale?: string): string {
  if (placebo === null) return "There are too few days to try the same stocks on others."
  if (placebo <= PLACEBO_LIMIT)
    return "But the average call and the portfolio of them point in opposite directions."
  const outcome = (alpha ?? 0) < 0 ? "as badly" : "as well"
  return `But on other days the same stocks did ${outcome} in ${formatShare(placebo, locale)} of trials: it is what it talks about, not when.`
}

function couldBeLuck({ p_value: p }: Judged, callsNeeded: number | null, locale?: string): string {
  const luck =
    p === null
      ? "A channel without any skill could look like this"
      : `A channel without any skill would look like this, or further from the market, about ${formatShare(p, locale)} of the time`
  if (callsNeeded === null) return `${luck}.`
  return `${luck}; it would take about ${formatCount(callsNeeded, locale)} independent calls to show an edge of 2%.`
}

function tooFew({ calls, pending }: Judged, horizon: Horizon, locale?: string): string {
  const scored = `${counted(calls, "call is", "calls are", locale)} scored at ${HORIZON_WORDS[horizon]}, and a verdict needs ${CALLS_FOR_A_VERDICT}.`
  if (!pending) return `${scored} None are pending.`
  return `${scored} ${counted(pending, "more is", "more are", locale)} pending: too early to tell.`
}
