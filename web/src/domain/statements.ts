/** Puts what was said about a stock into words. */

import type { Act, OwnTarget, Speaker, Statement } from "../api/types"
import { formatDay } from "../text/dates"
import { formatPrice } from "../text/numbers"

export const ACT_LABELS: Record<Act, string> = {
  bought: "Bought it",
  plans_to_buy: "Is about to buy it",
  recommends: "Recommends buying it",
  sold: "Sold it",
  plans_to_sell: "Is about to sell it",
  advises_against: "Advises against it",
  keeps: "Keeps it",
  owns: "Owns it",
  would_buy: "Would buy it on a condition",
  would_sell: "Would sell it on a condition",
  praises: "Praises it, without saying to buy",
  criticises: "Criticises it, without saying to sell",
  reports: "News or an example",
}

/** The acts as a reviewer chooses among them. */
export const ACT_GROUPS: readonly (readonly [string, readonly Act[]])[] = [
  ["Buy", ["bought", "plans_to_buy", "recommends"]],
  ["Sell", ["sold", "plans_to_sell", "advises_against"]],
  ["Hold", ["keeps", "owns"]],
  ["Not a call", ["would_buy", "would_sell", "praises", "criticises", "reports"]],
]

export const SPEAKERS: readonly Speaker[] = ["host", "guest", "other"]

export const SPEAKER_LABELS: Record<Speaker, string> = {
  host: "The host",
  guest: "A guest",
  other: "Somebody else",
}

const CONVICTIONS: Record<number, string> = { 1: "Said tentatively", 3: "Said firmly" }

/** Leaves out what goes without saying: the host speaks, neither tentatively nor firmly. */
export function describeManner({ speaker, conviction }: Pick<Statement, "speaker" | "conviction">): string[] {
  const who = { host: [], guest: ["Said by a guest"], other: ["Said by somebody else"] }[speaker]
  const how = conviction === null ? undefined : CONVICTIONS[conviction]
  return how ? [...who, how] : who
}

/**
 * The speaker's own horizon and target, for instance "By their own terms: “three to five years”, target $200 (reached
 * on 3 Mar 2023)". Null where none were named.
 */
export function describeOwnTerms(
  { horizon, target_price: named }: Pick<Statement, "horizon" | "target_price">,
  own: OwnTarget | null = null,
  locale?: string,
): string | null {
  const price = own?.price ?? named
  const parts = [
    ...(horizon ? [`“${horizon}”`] : []),
    ...(price === null ? [] : [`target ${formatPrice(price, locale)}${reached(own, locale)}`]),
  ]
  return parts.length ? `By their own terms: ${parts.join(", ")}` : null
}

function reached(own: OwnTarget | null, locale?: string): string {
  if (own?.reached_on) return ` (reached on ${formatDay(own.reached_on, locale)})`
  return own?.reached === false ? " (not reached within a year)" : ""
}

/** The stock's name as it was heard, where that is not how the company is called. */
export function heardAs({ heard, company }: Pick<Statement, "heard" | "company">): string | null {
  if (!heard || !company || plain(company).includes(plain(heard))) return null
  return heard
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")
}
