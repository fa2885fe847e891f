/** Alerts in words. */

import type { Alert, AlertKind, CallTold, MaturedTold, NewAlertSettings, VerdictTold } from "../api/types"
import { HORIZON_WORDS } from "../domain/horizons"
import { LABELS } from "../domain/kinds"
import { VERDICT_LABELS } from "../domain/verdicts"
import { counted, formatChange } from "../text/numbers"

export const ALERT_KINDS: readonly AlertKind[] = ["calls", "verdict", "matured"]

export const ALERT_FILTER_LABELS: Record<AlertKind, string> = {
  calls: "Calls",
  verdict: "Verdicts",
  matured: "Matured",
}

export type WantedKind = NewAlertSettings["kinds"][number]

export const WANTED_KINDS: readonly { kind: WantedKind; label: string; note: string }[] = [
  { kind: "calls", label: "New calls", note: "A video says to buy or to sell a stock." },
  { kind: "reversals", label: "Reversals", note: "A channel turns from buy to sell, or from sell to buy." },
  { kind: "verdict", label: "Verdicts", note: "The verdict on a channel changes." },
  {
    kind: "matured",
    label: "Matured calls",
    note: "A call of a watched stock reaches the end of a horizon.",
  },
]

/** The details of an alert, by its kind. */
export type AlertDetails =
  | { kind: "calls"; details: CallTold[] }
  | { kind: "verdict"; details: VerdictTold[] }
  | { kind: "matured"; details: MaturedTold[] }

/** The API's document does not say which details go with which kind. */
export function detailsOf({ kind, details }: Pick<Alert, "kind" | "details">): AlertDetails {
  return { kind, details } as AlertDetails
}

/** The headline of an alert. */
export function alertTitle(alert: Pick<Alert, "kind" | "details">, locale?: string): string {
  const typed = detailsOf(alert)
  if (typed.kind === "verdict") return "Verdict changed"
  if (typed.kind === "matured") return counted(typed.details.length, "call matured", "calls matured", locale)
  const reversals = typed.details.filter(({ is_reversal }) => is_reversal).length
  const calls = counted(typed.details.length, "new call", "new calls", locale)
  return reversals ? `${calls}, ${counted(reversals, "reversal", "reversals", locale)}` : calls
}

/** "Reversal: said sell before". */
export function describeReversal({ is_reversal, before }: CallTold): string {
  if (!is_reversal) return ""
  return before ? `Reversal: said ${LABELS[before].toLowerCase()} before` : "Reversal"
}

/** The second that the address of a quote points to; null where it points to the video alone. */
export function secondIn(address: string): number | null {
  const time = /[?&]t=(\d+)s?(?:&|$)/.exec(address)?.[1]
  return time === undefined ? null : Number(time)
}

/** "Over three months: Beats the market. Before: Not proven." */
export function describeVerdictChange({ horizon, verdict, before, by_review }: VerdictTold): string {
  const change = `Over ${HORIZON_WORDS[horizon]}: ${VERDICT_LABELS[verdict]}. Before: ${VERDICT_LABELS[before]}.`
  return by_review ? `${change} Reviews of how its calls were read turned it, not the market.` : change
}

/** "After three months: +4.2% against the market". */
export function describeMatured({ horizon, excess_percent }: MaturedTold, locale?: string): string {
  const after = `After ${HORIZON_WORDS[horizon]}`
  if (excess_percent === null) return `${after}: no price`
  return `${after}: ${formatChange(excess_percent, locale)} against the market`
}
