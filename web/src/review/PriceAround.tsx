/** A small chart of the closes around a call, with its day marked. */

import { useQuery } from "@tanstack/react-query"
import { historyQuery } from "../api/queries"
import type { Close, Mention } from "../api/types"
import { useWidth } from "../components/width"
import { formatDay, today } from "../text/dates"
import { formatPrice } from "../text/numbers"
import { periodAround, sparkOf } from "./spark"
import "./PriceAround.css"
import "../components/Skeletons.css"
import "../charts/CurveChart.css"

const HEIGHT = 96
const MARGIN = 8

export function PriceAround({ mention, day }: { mention: Mention; day: string }) {
  const [place, width] = useWidth<HTMLDivElement>()
  const period = periodAround(day, today())
  const history = useQuery(historyQuery(mention.ticker, period.start, period.end))
  const closes = history.data ?? []
  return (
    <figure className="price-around">
      <div ref={place} className="price-place">
        {!history.data && !history.error && <div className="skeleton price-outline" aria-busy="true" />}
        {closes.length > 1 && width > 0 && <Line mention={mention} day={day} closes={closes} width={width} />}
        {(history.error || (history.data && closes.length < 2)) && (
          <p className="soft panel-note">There are no prices of {mention.ticker} for these days.</p>
        )}
      </div>
    </figure>
  )
}

interface LineProps {
  mention: Mention
  day: string
  closes: readonly Close[]
  width: number
}

function Line({ mention, day, closes, width }: LineProps) {
  const { path, mark } = sparkOf(closes, day, width - 2 * MARGIN, HEIGHT - 2 * MARGIN)
  const [first, last] = [closes[0], closes.at(-1)]
  if (!first || !last) return null
  const ends = `from ${formatPrice(first.close)} on ${formatDay(first.date)} to ${formatPrice(last.close)} on ${formatDay(last.date)}`
  const said = mark ? `; ${formatPrice(mark.close.close)} when it was said` : ""
  return (
    <>
      <svg width={width} height={HEIGHT} role="img" aria-label={`${mention.ticker} ${ends}${said}`}>
        <g transform={`translate(${MARGIN} ${MARGIN})`}>
          {mark && <line className="cursor" x1={mark.x} x2={mark.x} y1="0" y2={HEIGHT - 2 * MARGIN} />}
          <path className="spark" d={path} />
          {mark && <circle className={`spark-mark ${mention.sentiment}`} cx={mark.x} cy={mark.y} r="5" />}
        </g>
      </svg>
      <figcaption className="price-caption" aria-hidden="true">
        <span>
          {formatDay(first.date)} · {formatPrice(first.close)}
        </span>
        {mark && <span className="strong">Said: {formatPrice(mark.close.close)}</span>}
        <span>
          {formatDay(last.date)} · {formatPrice(last.close)}
        </span>
      </figcaption>
    </>
  )
}
