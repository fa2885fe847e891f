/** What a price chart shows: which days, and the day each mention is marked on. */

import type { Close, Mention } from "../api/types"
import { addDays, addMonths } from "../text/dates"

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

export interface MarkedMention {
  /** The trading day it is drawn on: the last one on or before its video's day. */
  day: string
  mention: Mention
}

/** The mentions within the chart, oldest first, each on a day that has a price. */
export function markMentions(mentions: readonly Mention[], closes: readonly Close[]): MarkedMention[] {
  const marked: MarkedMention[] = []
  for (const mention of mentions) {
    const day = mention.video && tradingDay(closes, mention.video.published_at)
    if (day) marked.push({ day, mention })
  }
  return marked.sort((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0))
}

function tradingDay(closes: readonly Close[], day: string): string | null {
  let low = 0
  let high = closes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((closes[middle]?.date ?? "") <= day) low = middle + 1
    else high = middle
  }
  return closes[low - 1]?.date ?? null
}
