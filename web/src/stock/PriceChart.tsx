/** The price chart with its calls, and a tooltip for what is pointed at. */

import type { MouseEventParams, Time } from "lightweight-charts"
import { useEffect, useRef, useState } from "react"
import type { Close } from "../api/types"
import { useTheme } from "../parts/theme"
import type { MarkedCall } from "../record/chart-data"
import { formatDay } from "../text/dates"
import { counted, formatPrice } from "../text/numbers"
import { ChartFrame } from "./ChartFrame"
import { ChartTooltip, type Pointed } from "./ChartTooltip"
import { chartColours } from "./chart-colours"
import { type Drawing, drawChart } from "./draw-chart"

/** How many pixels beside a mark still count as on it. */
const NEAR = 14

interface Data {
  closes: readonly Close[]
  calls: readonly MarkedCall[]
}

interface Props extends Data {
  ticker: string
  /** A mention's id, pointed at in the list below. */
  pointedAt: string | null
}

export function PriceChart({ ticker, closes, calls, pointedAt }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(null)
  const theme = useTheme()
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const newest = closes.at(-1)?.date
  const known = useRef({ closes, calls })
  known.current = { closes, calls }

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn anew for another theme, or other data.
  useEffect(() => {
    const element = place.current
    if (!element) return
    const { closes, calls } = known.current
    const drawn = drawChart(element, closes, calls, chartColours(element))
    const follow = (event: MouseEventParams<Time>) =>
      setPointed(pointedOn(dayUnder(event, drawn, calls), drawn, known.current))
    drawn.chart.subscribeCrosshairMove(follow)
    drawn.chart.subscribeClick(follow)
    drawing.current = drawn
    return () => {
      drawing.current = null
      drawn.chart.remove()
    }
  }, [theme, ticker, closes.length, newest, calls.length])

  useEffect(() => {
    const drawn = drawing.current
    if (!drawn) return
    const call = known.current.calls.find(({ mention }) => mention.id === pointedAt)
    const pointed = pointedOn(call?.day ?? null, drawn, known.current)
    if (pointed) drawn.chart.setCrosshairPosition(pointed.close, pointed.day, drawn.series)
    else drawn.chart.clearCrosshairPosition()
    setPointed(pointed)
  }, [pointedAt])

  return (
    <ChartFrame>
      <div ref={place} className="chart" role="img" aria-label={describe(ticker, closes, calls.length)} />
      {pointed && <ChartTooltip pointed={pointed} />}
    </ChartFrame>
  )
}

function describe(ticker: string, closes: readonly Close[], calls: number): string {
  const [first, last] = [closes[0], closes.at(-1)]
  if (!first || !last) return ""
  return (
    `Daily closing prices of ${ticker}, from ${formatPrice(first.close)} on ${formatDay(first.date)} ` +
    `to ${formatPrice(last.close)} on ${formatDay(last.date)}, with ${counted(calls, "call", "calls")} marked. ` +
    "The list below has each of them."
  )
}

/** The day under the pointer, or that of the mark it is near. */
function dayUnder(
  event: MouseEventParams<Time>,
  { chart }: Drawing,
  calls: readonly MarkedCall[],
): string | null {
  const x = event.point?.x
  if (!event.time || x === undefined || x < 0) return null
  let [nearest, day] = [NEAR, String(event.time)]
  for (const call of calls) {
    const distance = Math.abs((chart.timeScale().timeToCoordinate(call.day) ?? Number.POSITIVE_INFINITY) - x)
    if (distance < nearest) [nearest, day] = [distance, call.day]
  }
  return day
}

function pointedOn(day: string | null, { chart, series }: Drawing, { closes, calls }: Data): Pointed | null {
  const close = day && closes.find(({ date }) => date === day)
  if (!close) return null
  return {
    day,
    close: close.close,
    calls: calls.filter((call) => call.day === day).map(({ mention }) => mention),
    x: chart.timeScale().timeToCoordinate(day) ?? 0,
    y: series.priceToCoordinate(close.close) ?? 0,
    width: chart.timeScale().width(),
    height: chart.paneSize().height,
  }
}
