/** The outcome of a call, in words and as a tone. Colours follow the outcome, not the price. */

import type { CallStatus, ScoredCall } from "../api/types"
import { formatDay } from "../text/dates"

export type Tone = "up" | "down" | "flat"

export const STATUSES: readonly CallStatus[] = ["scored", "pending", "unpriced", "ended"]

export const STATUS_LABELS: Record<CallStatus, string> = {
  scored: "Scored",
  pending: "Pending",
  unpriced: "No price",
  ended: "Stopped trading",
}

type Outcome = Pick<ScoredCall, "status" | "excess_percent" | "matures_on" | "unpriced_reason">

/** Right when it did better than the market over the same days. */
export function outcomeOf({
  excess_percent: excess,
}: Pick<Outcome, "excess_percent">): "right" | "wrong" | null {
  if (excess === null) return null
  return excess > 0 ? "right" : "wrong"
}

export function toneOf(call: Pick<Outcome, "excess_percent">): Tone {
  const outcome = outcomeOf(call)
  if (!outcome) return "flat"
  return outcome === "right" ? "up" : "down"
}

/** For instance "Right", "Wrong, stopped trading" or "Pending until 3 Mar 2023". */
export function describeOutcome(call: Outcome, locale?: string): string {
  if (call.status === "pending") {
    return call.matures_on ? `Pending until ${formatDay(call.matures_on, locale)}` : "Pending"
  }
  if (call.unpriced_reason === "departed") return "No price: left the exchange"
  const outcome = outcomeOf(call)
  if (!outcome) return STATUS_LABELS[call.status]
  const word = outcome === "right" ? "Right" : "Wrong"
  return call.status === "ended" ? `${word}, stopped trading` : word
}
