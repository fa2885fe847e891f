/** The data of a price chart: its days, the day of each mark, and each call from entry to exit. */

import type { Close, Mention, ScoredCall, StockCall } from "../api/types"
import { lastUntil } from "../charts/last-until"
import { type Tone, toneOf } from "../domain/calls"
import type { Kind } from "../domain/kinds"
import { addDays, addMonths } from "../text/dates"
import { withoutDemoSuffix } from "../text/demo"

const DAYS_BEFORE = 60
const MAX_MONTHS = 120

/** From some weeks before the first mention until today, or as far as the API goes in one response. */
export function historyPeriod(firstDay: string, today: string): { start: string; end: string } {
  const start = addDays(firstDay, -DAYS_BEFORE)
  const latest = addMonths(start, MAX_MONTHS)
  return { start, end: today < latest ? (today < start ? start : today) : latest }
}

export const RANGES = { "1M": 1, "6M": 6, "1Y": 12, "3Y": 36, All: null } as const
export type Range = keyof typeof RANGES

/** The ranges that are shorter than the prices known, and all of them. */
export function rangesFor(closes: readonly Close[]): Range[] {
  const first = closes[0]?.date ?? ""
  return (Object.keys(RANGES) as Range[]).filter(
    (range) => range === "All" || firstDayOf(range, closes) > first,
  )
}

/** The first day of a range that ends with the last close. */
export function firstDayOf(range: Range, closes: readonly Close[]): string {
  const months = RANGES[range]
  const last = closes.at(-1)?.date
  if (months === null || !last) return closes[0]?.date ?? ""
  return addMonths(last, -months)
}

/** A mention as it is drawn: on the last trading day on or before its video's day. */
export interface Mark {
  id: string
  day: string
  kind: Kind
  title: string
  quote: string | null
}

/** The mentions within the chart, oldest first, each on a day that has a price. */
export function markMentions(mentions: readonly Mention[], closes: readonly Close[]): Mark[] {
  return marksOn(
    closes,
    mentions.flatMap(({ id, sentiment, video, context_snippet, review }) =>
      // What a person rejected counts nowhere.
      video && review !== "rejected"
        ? { id, kind: sentiment, day: video.published_at, title: video.title, quote: context_snippet }
        : [],
    ),
  )
}

/** The same for calls of several channels, distinguished by name. */
export function markCalls(calls: readonly StockCall[], closes: readonly Close[]): Mark[] {
  return marksOn(
    closes,
    calls.map((call) => ({
      id: callId(call),
      kind: call.sentiment,
      day: call.published_at,
      title: withoutDemoSuffix(call.channel.name),
      quote: call.quote,
    })),
  )
}

export function callId({ video_id, ticker }: { video_id: string; ticker: string }): string {
  return `${video_id} ${ticker}`
}

function marksOn(closes: readonly Close[], marks: readonly Mark[]): Mark[] {
  const drawn = marks.flatMap((mark) => {
    const day = lastUntil(closes, mark.day)?.date
    return day ? { ...mark, day } : []
  })
  return drawn.sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
}

/** A call at a horizon as it is drawn: a line from its entry to its exit, or to the last close while it is pending. */
export interface Trade {
  from: Close
  to: Close
  tone: Tone
}

export function tradesOf(calls: readonly ScoredCall[], closes: readonly Close[]): Trade[] {
  const last = closes.at(-1)
  return calls.flatMap((call) => {
    const from = call.entry_date && lastUntil(closes, call.entry_date)
    const to = call.exit_date ? lastUntil(closes, call.exit_date) : last
    return from && to && from.date < to.date ? { from, to, tone: toneOf(call) } : []
  })
}
