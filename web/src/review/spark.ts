/** The closes around a call, as a line. */

import type { Close } from "../api/types"
import { lastUntil } from "../charts/last-until"
import { share } from "../charts/scale"
import { addDays } from "../text/dates"

const DAYS_BEFORE = 60
/** Three months, and a little more. */
const DAYS_AFTER = 110

export function periodAround(day: string, today: string): { start: string; end: string } {
  const end = addDays(day, DAYS_AFTER)
  return { start: addDays(day, -DAYS_BEFORE), end: end < today ? end : today }
}

export interface Spark {
  /** The data of an SVG path. */
  path: string
  /** Where the call is, on the last close at or before its day; null where there is none. */
  mark: { x: number; y: number; close: Close } | null
}

export function sparkOf(closes: readonly Close[], day: string, width: number, height: number): Spark {
  const values = closes.map(({ close }) => close)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const [first, last] = [closes[0], closes.at(-1)]
  if (!first || !last) return { path: "", mark: null }
  const x = ({ date }: Close) => round(share(time(date), time(first.date), time(last.date)) * width)
  const y = ({ close }: Close) => round(high === low ? height / 2 : (1 - share(close, low, high)) * height)
  const at = lastUntil(closes, day)
  return {
    path: `M${closes.map((close) => `${x(close)} ${y(close)}`).join("L")}`,
    mark: at && { x: x(at), y: y(at), close: at },
  }
}

function time(date: string): number {
  return Date.parse(date)
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
