/** The chart itself, drawn by TradingView's Lightweight Charts. */

import {
  AreaSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type SeriesMarker,
  TickMarkType,
  type Time,
} from "lightweight-charts"
import type { Close } from "../api/types"
import { type Kind, LETTERS } from "../domain/kinds"
import { formatDay, formatTick } from "../text/dates"
import { formatPrice } from "../text/numbers"
import { type ChartColours, withAlpha } from "./chart-colours"
import type { Mark, Trade } from "./chart-data"

export interface Drawing {
  chart: IChartApi
  series: ISeriesApi<"Area">
}

const MARKS: Record<Kind, Pick<SeriesMarker<Time>, "shape"> & { position: "aboveBar" | "belowBar" }> = {
  buy: { shape: "arrowUp", position: "belowBar" },
  hold: { shape: "circle", position: "belowBar" },
  sell: { shape: "arrowDown", position: "aboveBar" },
  mentioned: { shape: "square", position: "aboveBar" },
}

interface Content {
  closes: readonly Close[]
  marks: readonly Mark[]
  trades: readonly Trade[]
}

export function drawChart(
  place: HTMLElement,
  { closes, marks, trades }: Content,
  colours: ChartColours,
): Drawing {
  const chart = createChart(place, {
    autoSize: true,
    layout: {
      background: { color: "transparent" },
      textColor: colours.soft,
      fontFamily: getComputedStyle(place).fontFamily,
      // The logo adds a style element, which the content security policy forbids: the caption names TradingView instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colours.line } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.14, bottom: 0.14 } },
    timeScale: {
      borderColor: colours.line,
      fixLeftEdge: true,
      fixRightEdge: true,
      minBarSpacing: 0.1,
      tickMarkFormatter: (time: Time, type: TickMarkType) => formatTick(String(time), tickUnit(type)),
    },
    crosshair: {
      horzLine: { visible: false, labelVisible: false },
      vertLine: { color: colours.soft, labelVisible: false },
    },
    localization: {
      priceFormatter: (price: number) => formatPrice(price),
      timeFormatter: (time: Time) => formatDay(String(time)),
    },
    // The wheel and vertical drags scroll the page.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: false },
  })
  const series = chart.addSeries(AreaSeries, {
    lineColor: colours.ink,
    lineWidth: 2,
    lineType: LineType.Simple,
    topColor: withAlpha(colours.ink, 0.1),
    bottomColor: withAlpha(colours.ink, 0),
    priceLineVisible: false,
    lastValueVisible: true,
    crosshairMarkerBackgroundColor: colours.ink,
    crosshairMarkerBorderColor: colours.card,
  })
  series.setData(closes.map(({ date, close }) => ({ time: date, value: close })))
  const markers = marks.map(({ day, kind }) => ({
    time: day,
    color: colours[kind],
    text: LETTERS[kind],
    size: 1.5,
    ...MARKS[kind],
  }))
  createSeriesMarkers(series, markers)
  for (const trade of trades) drawTrade(chart, trade, colours)
  return { chart, series }
}

const TONES = { up: "buy", down: "sell", flat: "soft" } as const

/** A dashed line with a dot at its entry and a square at its exit, in the colour of its outcome. */
function drawTrade(chart: IChartApi, { from, to, tone }: Trade, colours: ChartColours): void {
  const color = colours[TONES[tone]]
  const line = chart.addSeries(LineSeries, {
    color,
    lineWidth: 2,
    lineStyle: LineStyle.Dashed,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
  })
  line.setData([from, to].map(({ date, close }) => ({ time: date, value: close })))
  createSeriesMarkers(line, [
    { time: from.date, position: "inBar", shape: "circle", color, size: 0.6 },
    { time: to.date, position: "inBar", shape: "square", color, size: 0.6 },
  ])
}

/** Shows the days from `first` to the last close, or all of them. */
export function showRange({ chart }: Drawing, first: string, closes: readonly Close[]): void {
  const last = closes.at(-1)?.date
  if (!last || first <= (closes[0]?.date ?? "")) chart.timeScale().fitContent()
  else chart.timeScale().setVisibleRange({ from: first, to: last })
}

function tickUnit(type: TickMarkType): "year" | "month" | "day" {
  if (type === TickMarkType.Year) return "year"
  return type === TickMarkType.Month ? "month" : "day"
}
