/** The price chart with its calls, a tooltip for the one pointed at, and what its marks mean. */

import type { MouseEventParams, Time } from "lightweight-charts"
import { useEffect, useRef, useState } from "react"
import type { Close } from "../api/types"
import { KindShape } from "../parts/Kind"
import { useTheme } from "../parts/theme"
import type { MarkedCall } from "../record/chart-data"
import { KINDS, LABELS, LETTERS } from "../record/kinds"
import { formatDay } from "../text/dates"
import { counted, formatPrice } from "../text/numbers"
import { ChartTooltip, type Pointed } from "./ChartTooltip"
import { chartColours } from "./chart-colours"
import { type Drawing, drawChart } from "./draw-chart"

/** How many pixels beside a mark still count as on it. */
const NEAR = 14

interface Props {
  ticker: string
  closes: readonly Close[]
  calls: readonly MarkedCall[]
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
    const follow = (event: MouseEventParams<Time>) => setPointed(pointedBy(event, drawn, known.current))
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
    const call = known.current.calls.find(({ mention }) => mention.id === pointedAt)
    const close = call && known.current.closes.find(({ date }) => date === call.day)
    if (drawn && close) drawn.chart.setCrosshairPosition(close.close, close.date, drawn.series)
    else drawn?.chart.clearCrosshairPosition()
  }, [pointedAt])

  return (
    <figure className="chart-frame">
      <div className="chart-place">
        <div ref={place} className="chart" role="img" aria-label={describe(ticker, closes, calls.length)} />
        {pointed && <ChartTooltip pointed={pointed} />}
      </div>
      <figcaption className="chart-caption">
        <span className="legend">
          {KINDS.map((kind) => (
            <span key={kind} className={kind}>
              <KindShape kind={kind} />
              {LETTERS[kind]} {LABELS[kind].toLowerCase()}
            </span>
          ))}
        </span>
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts™, © 2025 TradingView, Inc.
        </a>
      </figcaption>
    </figure>
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

/** The day under the pointer, with the calls that are marked near it. */
function pointedBy(
  event: MouseEventParams<Time>,
  { chart, series }: Drawing,
  { closes, calls }: { closes: readonly Close[]; calls: readonly MarkedCall[] },
): Pointed | null {
  if (!event.time || !event.point || event.point.x < 0) return null
  const x = event.point.x
  const distance = ({ day }: MarkedCall) =>
    Math.abs((chart.timeScale().timeToCoordinate(day) ?? Infinity) - x)
  const nearest = Math.min(NEAR, ...calls.map(distance))
  const near = nearest < NEAR ? calls.filter((call) => distance(call) === nearest) : []
  const day = near[0]?.day ?? String(event.time)
  const close = closes.find(({ date }) => date === day)
  if (!close) return null
  return {
    day,
    close: close.close,
    calls: near.map(({ mention }) => mention),
    x: chart.timeScale().timeToCoordinate(day) ?? x,
    y: series.priceToCoordinate(close.close) ?? event.point.y,
    width: chart.timeScale().width(),
    height: chart.paneSize().height,
  }
}
