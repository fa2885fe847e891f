/** What a price chart shows: which days, and on which of them a call is marked. */

import type { Close, Mention } from "../api/types"
import { addDays, addYears } from "../text/dates"

const DAYS_BEFORE = 60
const MOST_YEARS = 10

/** From some weeks before the first call until today, as far as the API goes in one answer. */
export function historyPeriod(firstDay: string, today: string): { start: string; end: string } {
  const start = addDays(firstDay, -DAYS_BEFORE)
  const furthest = addYears(start, MOST_YEARS)
  return { start, end: today < furthest ? (today < start ? start : today) : furthest }
}

export interface MarkedCall {
  /** The trading day it is drawn on: the last one on or before its video's day. */
  day: string
  mention: Mention
}

/** The calls that fall into the chart, oldest first, each on a day that has a price. */
export function markCalls(mentions: readonly Mention[], closes: readonly Close[]): MarkedCall[] {
  const marked: MarkedCall[] = []
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
