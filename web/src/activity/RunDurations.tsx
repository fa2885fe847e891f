/** How long the last runs took, as bars, oldest first. A failed one is hollow as well as red. */

import type { Run } from "../api/types"
import { describeDurations, durationBars } from "../domain/runs"
import "./RunDurations.css"
import "../charts/CurveChart.css"

const MOST = 40
const [BAR, GAP, HEIGHT] = [10, 4, 56]

export function RunDurations({ runs }: { runs: readonly Run[] }) {
  const bars = durationBars(runs, MOST)
  const words = describeDurations(bars)
  if (!bars.length) return <div className="run-durations" />
  const width = bars.length * (BAR + GAP)
  return (
    <figure className="run-durations">
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Durations. ${words}`}
      >
        <line className="axis" x1="0" x2={width} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {bars.map((bar, index) => {
          const height = Math.max(2, bar.share * (HEIGHT - 4))
          return (
            <rect
              key={bar.id}
              className={`duration ${bar.status}`}
              x={index * (BAR + GAP) + 0.75}
              y={HEIGHT - height - 0.75}
              width={BAR - 1.5}
              height={height}
              rx="1.5"
            >
              <title>{bar.label}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="soft" aria-hidden="true">
        {words}
      </figcaption>
    </figure>
  )
}
