/** The lane of news under a price chart: which sessions have news, where their bars stand, and what they say. */

import type { Close, DayOfNews, NewsCounts } from "../api/types"
import { lastUntil } from "../charts/last-until"
import { describeTones, TONES, totalOf } from "../news/news"
import { formatDay } from "../text/dates"
import { counted } from "../text/numbers"

/** Bars nearer to each other than this become one. */
const LEAST_DISTANCE = 7
/** The scale has room for so many at least, so that a single headline does not look like a wave of them. */
const LEAST_SCALE = 3
const SHORTEST_BAR = 3

export interface LaneDay extends NewsCounts {
  /** The session at which it is drawn: its own, or the last before it. */
  session: string
  /** The days that the headlines are of. */
  first: string
  last: string
  pending: number
}

export interface LaneBar extends LaneDay {
  x: number
}

/** The days with news as sessions of the chart, oldest first; what comes before the first close is left out. */
export function laneDays(days: readonly DayOfNews[], closes: readonly Close[]): LaneDay[] {
  const found: LaneDay[] = []
  for (const { date, ...counts } of days) {
    const session = lastUntil(closes, date)?.date
    if (!session) continue
    const day = { session, first: date, last: date, ...counts }
    const before = found.at(-1)
    if (before?.session === session) found[found.length - 1] = joined(before, day)
    else found.push(day)
  }
  return found
}

/** The bars that are in view. Where days lie too close together to distinguish, they share one. */
export function laneBars(
  days: readonly LaneDay[],
  xOf: (session: string) => number | null,
  width: number,
): LaneBar[] {
  const bars: LaneBar[] = []
  for (const day of days) {
    const x = xOf(day.session)
    if (x === null || x < 0 || x > width) continue
    const before = bars.at(-1)
    if (before && x - before.x < LEAST_DISTANCE)
      bars[bars.length - 1] = { ...joined(before, day), x: before.x }
    else bars.push({ ...day, x })
  }
  return bars
}

function joined(one: LaneDay, other: LaneDay): LaneDay {
  const sums = Object.fromEntries(
    [...TONES, "pending" as const].map((each) => [each, one[each] + other[each]]),
  )
  return { ...one, ...sums, last: other.last }
}

/** The bar under a place, or the nearest within some pixels. */
export function nearestBar(bars: readonly LaneBar[], x: number, radius: number): LaneBar | null {
  let nearest: LaneBar | null = null
  for (const bar of bars) {
    const distance = Math.abs(bar.x - x)
    if (distance <= radius && (!nearest || distance < Math.abs(nearest.x - x))) nearest = bar
  }
  return nearest
}

/** Whose days hold a session. */
export function barOf(bars: readonly LaneBar[], session: string | null): LaneBar | null {
  if (session === null) return null
  return bars.find((bar) => bar.session <= session && session <= bar.last) ?? null
}

/** How long a bar is: in proportion to the largest of the lane, and never too short to be seen. */
export function barLength(count: number, most: number, longest: number): number {
  if (count <= 0) return 0
  return Math.max(SHORTEST_BAR, (longest * count) / Math.max(most, LEAST_SCALE))
}

export function mostOf(bars: readonly LaneBar[]): number {
  return Math.max(1, ...bars.flatMap(({ positive, negative }) => [positive, negative]))
}

export function describeDays({ first, last }: Pick<LaneDay, "first" | "last">, locale?: string): string {
  return first === last
    ? formatDay(first, locale)
    : `${formatDay(first, locale)} to ${formatDay(last, locale)}`
}

export function describeDay(day: LaneDay, locale?: string): string {
  const waiting =
    day.pending && counted(day.pending, "headline not read yet", "headlines not read yet", locale)
  return [totalOf(day) && describeTones(day, locale), waiting].filter(Boolean).join(", ")
}
