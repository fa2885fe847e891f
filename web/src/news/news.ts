/** News in words: its tone, the headlines before a call, and the period and stock of a list as parts of an address. */

import type { DayOfNews, News, NewsCounts, NewsTone } from "../api/types"
import { addDays, formatDay, formatTimestamp, newYorkMidnight } from "../text/dates"
import { formatCount } from "../text/numbers"

export const TONES: readonly NewsTone[] = ["positive", "neutral", "negative"]
/** A headline has no tone until it has been analysed. */
export type ShownTone = NewsTone | "pending"

export const TONE_LABELS: Record<ShownTone, string> = {
  positive: "Positive",
  neutral: "Neutral",
  negative: "Negative",
  pending: "Tone not read yet",
}

const WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1_000
const DAY = /^\d{4}-\d{2}-\d{2}$/
const TICKER = /^[A-Z0-9][A-Z0-9.-]{0,15}$/

export function isFictional({ source_type }: Pick<News, "source_type">): boolean {
  return source_type === "demo"
}

export function totalOf(counts: NewsCounts): number {
  return TONES.reduce((sum, tone) => sum + counts[tone], 0)
}

export function sumOfDays(days: readonly DayOfNews[]): NewsCounts {
  const sums = { positive: 0, neutral: 0, negative: 0 }
  for (const day of days) for (const tone of TONES) sums[tone] += day[tone]
  return sums
}

/** For instance "3 negative headlines" or "3 headlines (2 positive, 1 neutral)", the most frequent tone first. */
export function describeTones(counts: NewsCounts, locale?: string): string {
  const present = TONES.filter((tone) => counts[tone] > 0)
    .sort((one, other) => counts[other] - counts[one])
    .map((tone) => `${formatCount(counts[tone], locale)} ${tone}`)
  const word = totalOf(counts) === 1 ? "headline" : "headlines"
  if (present.length <= 1) return present.length ? `${present[0]} ${word}` : ""
  return `${formatCount(totalOf(counts), locale)} ${word} (${present.join(", ")})`
}

/** Either end may be open. A day begins at midnight in New York; the end is not part of it. */
export interface Period {
  since: string | null
  before: string | null
}

export interface NewsFilter extends Period {
  ticker: string | null
  tone: NewsTone | null
}

/** The week before a video, as the API counts it: where only its day is known, until that day begins. */
export function weekBefore(video: { published_at: string; published_time: string | null }): Period {
  const { published_at: day, published_time: time } = video
  if (!time) return { since: addDays(day, -7), before: day }
  return { since: new Date(Date.parse(time) - WEEK_MILLISECONDS).toISOString(), before: time }
}

/** The filter in an address. What cannot be read counts as not given. */
export function newsFilterIn(search: URLSearchParams): NewsFilter {
  const since = validEnd(search.get("since"))
  const before = validEnd(search.get("before"))
  const isEmpty = since && before && momentOf(before) <= momentOf(since)
  return {
    ticker: tickerIn(search.get("ticker")),
    tone: TONES.find((tone) => tone === search.get("tone")) ?? null,
    ...(isEmpty ? { since: null, before: null } : { since, before }),
  }
}

export function tickerIn(text: string | null): string | null {
  const ticker = text?.trim().toUpperCase() ?? ""
  return TICKER.test(ticker) ? ticker : null
}

export function newsAddress(filter: Partial<NewsFilter>): string {
  const search = new URLSearchParams()
  for (const name of ["ticker", "tone", "since", "before"] as const) {
    const value = filter[name]
    if (value) search.set(name, value)
  }
  return search.size ? `/news?${search}` : "/news"
}

/** The timestamp of an end of a period. */
export function momentOf(end: string): string {
  return DAY.test(end) ? newYorkMidnight(end) : new Date(end).toISOString()
}

export function describePeriod({ since, before }: Period, locale?: string): string {
  if (since && before && addDays(since.slice(0, 10), 1) === before && DAY.test(since)) {
    return formatDay(since, locale)
  }
  const from = since && `from ${describeEnd(since, 0, locale)}`
  const to = before && `to ${describeEnd(before, -1, locale)}`
  const text = [from, to].filter(Boolean).join(" ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A period that ends when a day begins has the day before as its last. */
function describeEnd(end: string, days: number, locale?: string): string {
  return DAY.test(end) ? formatDay(addDays(end, days), locale) : formatTimestamp(end, locale)
}

function validEnd(text: string | null): string | null {
  if (!text || Number.isNaN(Date.parse(text))) return null
  return DAY.test(text) || text.includes("T") ? text : null
}

/** Headlines of several lists, each newest first, as far as they were read. */
export interface NewsRead {
  /** By what each list is of: a tone or a stock. */
  lists: Record<string, { items: News[]; nextToken: string | null }>
}

/**
 * The lists as one, newest first. What is older than the end of a list that goes on is left out until more of it is read:
 * something newer may still come from there.
 */
export function mergeLists(pages: readonly NewsRead[]): News[] {
  const all = new Map<string, News>()
  let oldest = ""
  for (const { items, isWhole } of joined(pages)) {
    for (const item of items) all.set(item.source_id, item)
    const last = items.at(-1)?.timestamp ?? ""
    if (!isWhole && last > oldest) oldest = last
  }
  return [...all.values()]
    .filter(({ timestamp }) => timestamp >= oldest)
    .sort((one, other) => (one.timestamp < other.timestamp ? 1 : one.timestamp > other.timestamp ? -1 : 0))
}

function joined(pages: readonly NewsRead[]): Iterable<{ items: News[]; isWhole: boolean }> {
  const lists = new Map<string, { items: News[]; isWhole: boolean }>()
  for (const page of pages) {
    for (const [name, { items, nextToken }] of Object.entries(page.lists)) {
      const before = lists.get(name)?.items ?? []
      lists.set(name, { items: [...before, ...items], isWhole: nextToken === null })
    }
  }
  return lists.values()
}

/** Where to go on: the lists that have more, with their tokens; undefined at the end of all. */
export function nextOf({ lists }: NewsRead): Record<string, string> | undefined {
  const more = Object.entries(lists).flatMap(([name, { nextToken }]) =>
    nextToken ? [[name, nextToken]] : [],
  )
  return more.length ? Object.fromEntries(more) : undefined
}
