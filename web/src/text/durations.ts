/** How long something took, and how long ago or how soon it is. */

import { formatNumber } from "./numbers"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS = [
  { unit: "day", milliseconds: DAY },
  { unit: "hour", milliseconds: HOUR },
  { unit: "minute", milliseconds: MINUTE },
] as const

/** From a start to an end, or to now while there is none. Clocks that disagree give no negative time. */
export function millisecondsBetween(start: string, end: string | null, now = Date.now()): number {
  return Math.max(0, (end ? Date.parse(end) : now) - Date.parse(start))
}

/** In the two largest units that say something: 0.4 s, 12 s, 3 min 5 s, 2 h 10 min, 1 d 4 h. */
export function formatDuration(milliseconds: number, locale?: string): string {
  if (milliseconds < 0.95 * SECOND) return `${formatNumber(milliseconds / SECOND, 1, locale)} s`
  const seconds = Math.round(milliseconds / SECOND)
  const [minutes, hours, days] = [
    Math.floor(seconds / 60),
    Math.floor(seconds / 3_600),
    Math.floor(seconds / 86_400),
  ]
  if (days) return pair(days, "d", hours % 24, "h")
  if (hours) return pair(hours, "h", minutes % 60, "min")
  return minutes ? pair(minutes, "min", seconds % 60, "s") : `${seconds} s`
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small ? `${large} ${largeUnit} ${small} ${smallUnit}` : `${large} ${largeUnit}`
}

/** "in 5 hours", "3 days ago", "in less than a minute". */
export function formatDistance(timestamp: string, now = Date.now(), locale?: string): string {
  const distance = Date.parse(timestamp) - now
  const step = STEPS.find(({ milliseconds }) => Math.abs(distance) >= milliseconds)
  if (!step) return distance >= 0 ? "in less than a minute" : "less than a minute ago"
  const format = new Intl.RelativeTimeFormat(locale ?? "en", { numeric: "always" })
  return format.format(Math.round(distance / step.milliseconds), step.unit)
}
