import type { Mention } from "../api/types"
import { KindChip } from "../parts/Kind"
import { Quote } from "../parts/Quote"
import { formatDay } from "../text/dates"
import { formatPrice } from "../text/numbers"

export interface Pointed {
  day: string
  close: number
  calls: Mention[]
  /** Where on the chart, which is `width` pixels wide. */
  x: number
  y: number
  width: number
}

/** Beside the point, on the side that has more room. What it says is in the list below as well. */
export function ChartTooltip({ pointed }: { pointed: Pointed }) {
  const { x, y, width, day, close, calls } = pointed
  const side = x > width / 2 ? "before" : "after"
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
