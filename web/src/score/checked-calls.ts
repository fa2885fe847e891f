/** How many calls a person has checked, in sentences, and the short form of a fingerprint. */

import type { Checked } from "../api/types"
import { CALLS_FOR_A_VERDICT } from "../domain/verdicts"
import { counted, formatCount, formatShare } from "../text/numbers"

/** For instance "34 of the 87 calls the program found were checked by a person, 28 were read correctly (82%, 67% to 92%)". */
export function describeChecked(checked: Checked, locale?: string): string {
  const { calls, checked: count, right, right_rate: rate, right_low: low, right_high: high } = checked
  if (!calls) return ""
  // Not those that a person has added or taken out since: they are among the channel's calls, or no longer.
  const found = `of the ${counted(calls, "call", "calls", locale)} the program found`
  if (!count) return `None ${found} has been checked by a person yet`
  const seen = `${formatCount(count, locale)} ${found} ${count === 1 ? "was" : "were"} checked by a person`
  const range =
    rate === null || low === null || high === null
      ? ""
      : ` (${formatShare(rate, locale)}, ${formatShare(low, locale)} to ${formatShare(high, locale)})`
  return `${seen}, ${formatCount(right, locale)} ${right === 1 ? "was" : "were"} read correctly${range}`
}

/** The caveat for figures over checked calls; empty when there are enough of them. */
export function checkedCaveat(scored: number, locale?: string): string {
  if (scored >= CALLS_FOR_A_VERDICT) return ""
  const found = scored
    ? `Only ${counted(scored, "checked call is", "checked calls are", locale)} scored`
    : "No checked call is scored"
  return `${found} at this horizon: too few to judge the channel by (${CALLS_FOR_A_VERDICT} are needed).`
}

/** The first digits of a fingerprint: enough to compare two at a glance. */
export function shortFingerprint(sha256: string): string {
  return `${sha256.slice(0, 6)}…`
}
