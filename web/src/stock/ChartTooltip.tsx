import type { Mention } from "../api/types"
import { KindChip } from "../parts/Kind"
import { Quote } from "../parts/Quote"
import { formatDay } from "../text/dates"
import { formatPrice } from "../text/numbers"

export interface Pointed {
  day: string
  close: number
  calls: Mention[]
  /** Where on the chart, in pixels, and how large that is. */
  x: number
  y: number
  width: number
  height: number
}

/** Beside the point, on the side that has more room. What it says is in the list below as well. */
export function ChartTooltip({ pointed }: { pointed: Pointed }) {
  const { x, y, width, height, day, close, calls } = pointed
  const side = `${x > width / 2 ? "before" : "after"} ${y > height / 2 ? "low" : "high"}`
  return (
    <div className={`tooltip ${side}`} aria-hidden="true" style={{ left: `${x}px`, top: `${y}px` }}>
      <p className="tooltip-head">
        <span>{formatDay(day)}</span>
        <span className="strong">{formatPrice(close)}</span>
      </p>
      {calls.map((mention) => (
        <div key={mention.id} className="tooltip-call">
          <KindChip kind={mention.sentiment} />
          <p className="tooltip-title" dir="auto">
            {mention.video?.title}
          </p>
          <Quote text={mention.context_snippet} />
        </div>
      ))}
    </div>
  )
}
