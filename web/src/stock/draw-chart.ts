/** The chart itself, by TradingView's Lightweight Charts. */

import {
  AreaSeries,
  createChart,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  LineType,
  type SeriesMarker,
  type Time,
} from "lightweight-charts"
import type { Close } from "../api/types"
import type { MarkedCall } from "../record/chart-data"
import { type Kind, LETTERS } from "../record/kinds"
import { formatDay } from "../text/dates"
import { formatPrice } from "../text/numbers"
import { type ChartColours, faint } from "./chart-colours"

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

export function drawChart(
  place: HTMLElement,
  closes: readonly Close[],
  calls: readonly MarkedCall[],
  colours: ChartColours,
): Drawing {
  const chart = createChart(place, {
    autoSize: true,
    layout: {
      background: { color: "transparent" },
      textColor: colours.soft,
      fontFamily: getComputedStyle(place).fontFamily,
      // Its logo brings a style element, which the content security policy forbids: the page names it in words.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colours.line } },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.14, bottom: 0.14 } },
    timeScale: { borderColor: colours.line, fixLeftEdge: true, fixRightEdge: true, minBarSpacing: 0.1 },
    crosshair: {
      horzLine: { visible: false, labelVisible: false },
      vertLine: { color: colours.soft, labelVisible: false },
    },
    localization: {
      priceFormatter: (price: number) => formatPrice(price),
      timeFormatter: (time: Time) => formatDay(String(time)),
    },
    // The wheel and a finger's vertical drag belong to the page.
    handleScroll: { mouseWheel: false, vertTouchDrag: false },
    handleScale: { mouseWheel: false, axisPressedMouseMove: false },
  })
  const series = chart.addSeries(AreaSeries, {
    lineColor: colours.ink,
    lineWidth: 2,
    lineType: LineType.Simple,
    topColor: faint(colours.ink, 0.1),
    bottomColor: faint(colours.ink, 0),
    priceLineVisible: false,
    lastValueVisible: true,
    crosshairMarkerBackgroundColor: colours.ink,
    crosshairMarkerBorderColor: colours.card,
  })
  series.setData(closes.map(({ date, close }) => ({ time: date, value: close })))
  const markers = calls.map(({ day, mention }) => ({
    time: day,
    color: colours[mention.sentiment],
    text: LETTERS[mention.sentiment],
    size: 1.5,
    ...MARKS[mention.sentiment],
  }))
  createSeriesMarkers(series, markers)
  chart.timeScale().fitContent()
  return { chart, series }
}
