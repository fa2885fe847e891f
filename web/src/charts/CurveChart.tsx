/** Curves that begin at the same amount, drawn as plain SVG. The legend tells the values of the day under the pointer. */

import { useState } from "react"
import { useWidth } from "../components/width"
import { formatDay, formatTick } from "../text/dates"
import { formatAmount, formatNumber } from "../text/numbers"
import type { Curve, CurvePoint } from "./curves"
import { lastUntil } from "./last-until"
import { share, ticks } from "./scale"
import "./CurveChart.css"

const HEIGHT = 280
const MARGIN = { top: 12, right: 12, bottom: 28, left: 64 }
const DAY = 86_400_000

interface Props {
  /** In the order of their colours; one with `isBenchmark` is drawn dashed. */
  curves: readonly (Curve & { isBenchmark?: boolean })[]
  /** Their first value: 100, or an amount of dollars. */
  dollars?: number
}

export function CurveChart({ curves, dollars }: Props) {
  const [place, width] = useWidth<HTMLDivElement>()
  const [day, setDay] = useState<string | null>(null)
  const longest = curves.reduce<readonly CurvePoint[]>(
    (most, { points }) => (points.length > most.length ? points : most),
    [],
  )
  const [first, last] = [longest[0]?.date, longest.at(-1)?.date]
  if (!first || !last) return null
  const values = curves.flatMap(({ points }) => points.map(({ value }) => value))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const margin = (high - low || 1) * 0.05
  const x = (date: string) =>
    MARGIN.left + share(time(date), time(first), time(last)) * (width - MARGIN.left - MARGIN.right)
  const y = (value: number) =>
    MARGIN.top + (1 - share(value, low - margin, high + margin)) * (HEIGHT - MARGIN.top - MARGIN.bottom)
  const shownDay = day ?? last
  return (
    <div className="curves">
      <p className="curve-legend">
        {curves.map((curve, index) => (
          <span key={curve.label} className={className(curve, index)}>
            <svg viewBox="0 0 22 8" aria-hidden="true">
              <path d="M1 4h20" />
            </svg>
            <bdi>{curve.label}</bdi>
            <strong>{formatValue(lastUntil(curve.points, shownDay)?.value ?? null, dollars)}</strong>
          </span>
        ))}
        <time dateTime={shownDay}>{formatDay(shownDay)}</time>
      </p>
      <div
        ref={place}
        className="curve-place"
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          const at = share(event.clientX - box.left, MARGIN.left, width - MARGIN.right)
          setDay(lastUntil(longest, dayAt(first, last, at))?.date ?? null)
        }}
        onPointerLeave={() => setDay(null)}
      >
        <svg width={width} height={HEIGHT} role="img" aria-label={describe(curves, dollars)}>
          {ticks(low, high).map((value) => (
            <g key={value} className="grid">
              <line x1={MARGIN.left} x2={width - MARGIN.right} y1={y(value)} y2={y(value)} />
              <text x={MARGIN.left - 8} y={y(value)} dy="0.32em" textAnchor="end">
                {dollars ? formatAmount(value) : formatNumber(value, 0)}
              </text>
            </g>
          ))}
          {dateTicks(first, last, width).map(({ date, unit }) => (
            <text key={date} className="axis" x={x(date)} y={HEIGHT - 8} textAnchor="middle">
              {formatTick(date, unit)}
            </text>
          ))}
          {width > 0 &&
            curves.map((curve, index) => (
              <path
                key={curve.label}
                className={className(curve, index)}
                d={curve.points
                  .map(({ date, value }) => `${round(x(date))} ${round(y(value))}`)
                  .join("L")
                  .replace(/^/, "M")}
              />
            ))}
          {day && (
            <line className="cursor" x1={x(day)} x2={x(day)} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
          )}
        </svg>
      </div>
    </div>
  )
}

function className({ isBenchmark }: { isBenchmark?: boolean }, index: number): string {
  return isBenchmark ? "curve benchmark" : `curve curve-${index + 1}`
}

function formatValue(value: number | null, dollars: number | undefined): string {
  return dollars ? formatAmount(value) : formatNumber(value, 1)
}

function describe(curves: Props["curves"], dollars: number | undefined): string {
  const ends = curves.map(
    ({ label, points }) => `${label} ${formatValue(points.at(-1)?.value ?? null, dollars)}`,
  )
  const days = curves.flatMap(({ points }) => points.map(({ date }) => date)).sort()
  const start = dollars ? formatAmount(dollars) : "100"
  return `What ${start} became from ${formatDay(days[0] ?? "")} to ${formatDay(days.at(-1) ?? "")}: ${ends.join(", ")}`
}

function dateTicks(first: string, last: string, width: number): { date: string; unit: "year" | "month" }[] {
  const months = (time(last) - time(first)) / DAY / 30.4
  const step = [1, 2, 3, 6, 12].find((each) => months / each <= Math.max(2, width / 70)) ?? 24
  const found: { date: string; unit: "year" | "month" }[] = []
  for (let month = Number(first.slice(0, 4)) * 12; ; month += step) {
    const date = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}-01`
    if (date > last) return found
    if (date >= first) found.push({ date, unit: month % 12 ? "month" : "year" })
  }
}

function time(date: string): number {
  return Date.parse(date)
}

function dayAt(first: string, last: string, at: number): string {
  return new Date(time(first) + at * (time(last) - time(first))).toISOString().slice(0, 10)
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
