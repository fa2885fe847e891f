/** Decides what the policy makes of a corrected statement, shown before it is saved. Tests compare it with the server's. */

import type { Act, Reason, Sentiment, Speaker } from "../api/types"

/** A statement as far as a person can correct it. */
export interface Correction {
  act: Act
  speaker: Speaker
  sponsored: boolean
}

export interface Decision {
  sentiment: Sentiment
  reason: Reason
}

const CALLS = {
  bought: "buy",
  plans_to_buy: "buy",
  recommends: "buy",
  sold: "sell",
  plans_to_sell: "sell",
  advises_against: "sell",
  keeps: "hold",
  owns: "hold",
} as const satisfies Partial<Record<Act, Sentiment>>

const NOT_CALLS: Record<Exclude<Act, keyof typeof CALLS>, Reason> = {
  would_buy: "on_condition",
  would_sell: "on_condition",
  praises: "opinion",
  criticises: "opinion",
  reports: "news",
}

/** The first circumstance that holds decides. */
export function decide({ act, speaker, sponsored }: Correction): Decision {
  if (!isCall(act)) return { sentiment: "mentioned", reason: NOT_CALLS[act] }
  if (speaker === "other") return { sentiment: "mentioned", reason: "somebody_else" }
  if (sponsored) return { sentiment: "mentioned", reason: "sponsored" }
  return { sentiment: CALLS[act], reason: act }
}

function isCall(act: Act): act is keyof typeof CALLS {
  return act in CALLS
}

/** The act meant by a correction that names only the kind. */
export const PLAIN_ACTS: Record<Sentiment, Act> = {
  buy: "recommends",
  sell: "advises_against",
  hold: "keeps",
  mentioned: "reports",
}

const EXPLANATIONS: Record<Reason, string> = {
  bought: "Buy: bought it.",
  sold: "Sell: sold it.",
  plans_to_buy: "Buy: is about to buy it.",
  plans_to_sell: "Sell: is about to sell it.",
  recommends: "Buy: recommends buying it.",
  advises_against: "Sell: advises against it.",
  keeps: "Hold: keeps it.",
  owns: "Hold: owns it.",
  sponsored: "Mention: part of a sponsored segment.",
  somebody_else: "Mention: somebody else's view.",
  on_condition: "Mention: only on a condition.",
  opinion: "Mention: an opinion, without saying to buy or sell.",
  news: "Mention: news or an example.",
  unclear: "Mention: the words aren't clear enough for a call.",
}

export function explainDecision(correction: Correction): string {
  return EXPLANATIONS[decide(correction).reason]
}
