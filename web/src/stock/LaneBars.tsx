import { barLength, type LaneBar } from "./news-lane"
import "./NewsLane.css"

const HEIGHT = 60
const MIDDLE = HEIGHT / 2
/** Leaves room for a bar's dot at the line, and for the edge. */
const LONGEST = MIDDLE - 3
const BAR_WIDTH = 5
const DOT_RADIUS = 2.5

interface Props {
  bars: readonly LaneBar[]
  most: number
  width: number
  shown: LaneBar | null
}

/** Positive above the line, negative below it; a dot on the line where there is neither, hollow where the tone is not read. */
export function LaneBars({ bars, most, width, shown }: Props) {
  return (
    <svg
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      aria-hidden="true"
      focusable="false"
      className="lane-bars"
    >
      <line className="lane-line" x1="0" x2={width} y1={MIDDLE} y2={MIDDLE} />
      {shown && <line className="lane-shown" x1={shown.x} x2={shown.x} y1="0" y2={HEIGHT} />}
      {bars.map((bar) => {
        const up = barLength(bar.positive, most, LONGEST)
        const down = barLength(bar.negative, most, LONGEST)
        const x = bar.x - BAR_WIDTH / 2
        return (
          <g key={bar.session} className={bar === shown ? "is-shown" : ""}>
            {up > 0 && (
              <rect className="positive" x={x} y={MIDDLE - 1 - up} width={BAR_WIDTH} height={up} rx="1" />
            )}
            {down > 0 && (
              <rect className="negative" x={x} y={MIDDLE + 1} width={BAR_WIDTH} height={down} rx="1" />
            )}
            {up === 0 && down === 0 && (
              <circle
                className={bar.neutral > 0 ? "neutral" : "pending"}
                cx={bar.x}
                cy={MIDDLE}
                r={DOT_RADIUS}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
