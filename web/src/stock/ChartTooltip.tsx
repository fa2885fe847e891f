import type { Mention } from "../api/types"
import { KindChip } from "../components/Kind"
import { Quote } from "../components/Quote"
import { formatDay } from "../text/dates"
import { formatPrice } from "../text/numbers"

export interface ChartPoint {
  day: string
  close: number
  mentions: Mention[]
  /** Its position and the size of the chart, in pixels. */
  x: number
  y: number
  width: number
  height: number
}

/** Beside the point, on the side with more room. The list below the chart has the same content. */
export function ChartTooltip({ point }: { point: ChartPoint }) {
  const { x, y, width, height, day, close, mentions } = point
  const side = `${x > width / 2 ? "before" : "after"} ${y > height / 2 ? "low" : "high"}`
  return (
    <div className={`tooltip ${side}`} aria-hidden="true" style={{ left: `${x}px`, top: `${y}px` }}>
      <p className="tooltip-head">
        <span>{formatDay(day)}</span>
        <span className="strong">{formatPrice(close)}</span>
      </p>
      {mentions.map((mention) => (
        <div key={mention.id} className="tooltip-mention">
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
