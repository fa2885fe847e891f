import { KindChip } from "../components/Kind"
import { Quote } from "../components/Quote"
import { formatDay } from "../text/dates"
import { formatPrice } from "../text/numbers"
import type { Mark } from "./chart-data"
import "./ChartTooltip.css"

export interface ChartPoint {
  day: string
  close: number
  marks: Mark[]
  /** Its position and the size of the chart, in pixels. */
  x: number
  y: number
  width: number
  height: number
}

/** Beside the point, on the side with more room. The list below the chart has the same content. */
export function ChartTooltip({ point }: { point: ChartPoint }) {
  const { x, y, width, height, day, close, marks } = point
  const side = `${x > width / 2 ? "before" : "after"} ${y > height / 2 ? "low" : "high"}`
  return (
    <div className={`tooltip ${side}`} aria-hidden="true" style={{ left: `${x}px`, top: `${y}px` }}>
      <p className="tooltip-head">
        <span>{formatDay(day)}</span>
        <span className="strong">{formatPrice(close)}</span>
      </p>
      {marks.map((mark) => (
        <div key={mark.id} className="tooltip-mention">
          <KindChip kind={mark.kind} />
          <p className="tooltip-title" dir="auto">
            {mark.title}
          </p>
          <Quote text={mark.quote} />
        </div>
      ))}
    </div>
  )
}
