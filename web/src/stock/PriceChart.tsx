/** The price chart with its mentions, its range buttons, and a tooltip for the point under the pointer. */

import type { MouseEventParams, Time } from "lightweight-charts"
import { type ReactNode, useEffect, useRef, useState } from "react"
import type { Close } from "../api/types"
import { useTheme } from "../components/theme"
import { formatDay } from "../text/dates"
import { counted, formatPrice } from "../text/numbers"
import { ChartFrame } from "./ChartFrame"
import { type ChartPoint, ChartTooltip } from "./ChartTooltip"
import { chartColours } from "./chart-colours"
import { firstDayOf, type Mark, type Range, rangesFor, type Trade } from "./chart-data"
import { type Drawing, drawChart, showRange } from "./draw-chart"
import { NewsLane, type TimeAxis } from "./NewsLane"
import { RangeButtons } from "./RangeButtons"
import "./ChartFrame.css"

/** How many pixels beside a mark still count as on it. */
const MARK_RADIUS = 14

interface Data {
  closes: readonly Close[]
  marks: readonly Mark[]
  /** The calls at the chosen horizon. */
  trades: readonly Trade[]
}

interface Props extends Data {
  ticker: string
  /** The id of the mention highlighted in the list below. */
  highlighted: string | null
  /** Beside the range buttons. */
  controls?: ReactNode
}

export function PriceChart({ ticker, closes, marks, trades, highlighted, controls }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(null)
  const theme = useTheme()
  const [point, setPoint] = useState<ChartPoint | null>(null)
  const [range, setRange] = useState<Range>("All")
  const [axis, setAxis] = useState<TimeAxis | null>(null)
  const newest = closes.at(-1)?.date
  const tradesKey = JSON.stringify(trades)
  const current = useRef({ closes, marks, trades, range })
  current.current = { closes, marks, trades, range }

  // biome-ignore lint/correctness/useExhaustiveDependencies: redrawn when the theme or the data changes.
  useEffect(() => {
    const element = place.current
    if (!element) return
    const { closes, marks, trades, range } = current.current
    const drawn = drawChart(element, { closes, marks, trades }, chartColours(element))
    showRange(drawn, firstDayOf(range, closes), closes)
    const follow = (event: MouseEventParams<Time>) =>
      setPoint(pointOn(dayUnder(event, drawn, marks), drawn, current.current))
    drawn.chart.subscribeCrosshairMove(follow)
    drawn.chart.subscribeClick(follow)
    followAxis(drawn, setAxis)
    drawing.current = drawn
    return () => {
      drawing.current = null
      drawn.chart.remove()
    }
  }, [theme, ticker, closes.length, newest, marks.length, tradesKey])

  useEffect(() => {
    const drawn = drawing.current
    if (!drawn) return
    const mark = current.current.marks.find(({ id }) => id === highlighted)
    const point = pointOn(mark?.day ?? null, drawn, current.current)
    if (point) drawn.chart.setCrosshairPosition(point.close, point.day, drawn.series)
    else drawn.chart.clearCrosshairPosition()
    setPoint(point)
  }, [highlighted])

  const choose = (chosen: Range) => {
    setRange(chosen)
    setPoint(null)
    if (drawing.current) showRange(drawing.current, firstDayOf(chosen, closes), closes)
  }
  const shown = closes.filter(({ date }) => date >= firstDayOf(range, closes))
  const shownMarks = marks.filter(({ day }) => day >= firstDayOf(range, closes))
  return (
    <ChartFrame
      hasTrades={trades.length > 0}
      controls={
        <>
          {controls}
          <RangeButtons ranges={rangesFor(closes)} chosen={range} onChoose={choose} />
        </>
      }
    >
      <div ref={place} className="chart" role="img" aria-label={describe(ticker, shown, shownMarks.length)} />
      {point && <ChartTooltip point={point} />}
      <NewsLane ticker={ticker} closes={closes} axis={axis} />
    </ChartFrame>
  )
}

/** Tells where the sessions are, after each zoom, move and change of size. */
function followAxis({ chart }: Drawing, onAxis: (axis: TimeAxis) => void): void {
  const scale = chart.timeScale()
  const tell = () => onAxis({ width: scale.width(), xOf: (session) => scale.timeToCoordinate(session) })
  scale.subscribeVisibleLogicalRangeChange(tell)
  scale.subscribeSizeChange(tell)
}

function describe(ticker: string, closes: readonly Close[], mentions: number): string {
  const [first, last] = [closes[0], closes.at(-1)]
  if (!first || !last) return ""
  return (
    `Daily closing prices of ${ticker} from ${formatPrice(first.close)} on ${formatDay(first.date)} ` +
    `to ${formatPrice(last.close)} on ${formatDay(last.date)}, ` +
    `with ${counted(mentions, "mention", "mentions")} marked. They are listed below.`
  )
}

/** The day under the pointer, or that of the nearest mark. */
function dayUnder(event: MouseEventParams<Time>, { chart }: Drawing, marks: readonly Mark[]): string | null {
  const x = event.point?.x
  if (!event.time || x === undefined || x < 0) return null
  let [nearest, day] = [MARK_RADIUS, String(event.time)]
  for (const mark of marks) {
    const distance = Math.abs((chart.timeScale().timeToCoordinate(mark.day) ?? Number.POSITIVE_INFINITY) - x)
    if (distance < nearest) [nearest, day] = [distance, mark.day]
  }
  return day
}

/** Null as well for a day outside the range shown. */
function pointOn(
  day: string | null,
  { chart, series }: Drawing,
  { closes, marks }: Pick<Data, "closes" | "marks">,
): ChartPoint | null {
  const close = day && closes.find(({ date }) => date === day)
  const x = close ? chart.timeScale().timeToCoordinate(day) : null
  const width = chart.timeScale().width()
  if (!close || x === null || x < 0 || x > width) return null
  return {
    day,
    close: close.close,
    marks: marks.filter((mark) => mark.day === day),
    x,
    y: series.priceToCoordinate(close.close) ?? 0,
    width,
    height: chart.paneSize().height,
  }
}
