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

const VERDICT_REMARKS: Partial<Record<Verdict, string>> = {
  like_its_stocks: "they did as well on any other day",
  not_proven: "could be luck",
}

/** The remark after a label that needs explaining. Without tests: the verdict's meaning for most channels. */
export function verdictRemark(verdict: Verdict, tests?: Tests): string | undefined {
  if (verdict === "not_proven" && tests && lacksOtherDays(tests)) return "too few days to tell"
  return VERDICT_REMARKS[verdict]
}

/** Figures take the colour of the verdict on them: what may be luck is neither green nor red. */
export function verdictTone(verdict: Verdict | undefined): Tone {
  if (verdict === "beats_market") return "up"
  return verdict === "lags_market" ? "down" : "flat"
}

export const CALLS_FOR_A_VERDICT = 20
const DAYS_FOR_A_TEST = 20
/** The highest p, q and placebo p that are not put down to luck. */
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
  | "placebo_p_value"
>

export type Tests = Pick<Judged, "q_value" | "placebo_p_value">

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
      return `${what} ${lacksOtherDays(judged) ? NO_OTHER_DAYS : couldBeLuck(judged, callsNeeded, locale)}`
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

const NO_OTHER_DAYS =
  "Luck alone would hardly do that, but its calls lie within too few days to try the same stocks on others, so it may be the stocks and not the timing."

/** True if it passed the test against luck, and cannot take the one on other days. */
function lacksOtherDays({ q_value: q, placebo_p_value: placebo }: Tests): boolean {
  return placebo === null && q !== null && q <= LUCK_LIMIT
}

function likeItsStocks(
  { placebo_p_value: placebo, mean_excess_percent: mean }: Judged,
  locale?: string,
): string {
  if (placebo === null || placebo <= LUCK_LIMIT)
    return "But the average call and the portfolio of them point in opposite directions."
  // The trials on other days count those at least as far from the market as the mean excess, on its side.
  const outcome = (mean ?? 0) < 0 ? "as badly" : "as well"
  return `But on other days the same stocks did ${outcome} in ${formatShare(placebo, locale)} of trials: it is what it talks about, not when.`
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
