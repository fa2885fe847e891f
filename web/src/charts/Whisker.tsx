/** A mean with its 95 % interval on a scale that several rows share. The dashed line is zero: like the market. */

import type { Tone } from "../domain/calls"
import { formatPercentRange } from "../text/numbers"
import { share } from "./scale"
import "./Whisker.css"

interface Props {
  mean: number | null
  low: number | null
  high: number | null
  scale: readonly [number, number] | null
  tone?: Tone
}

const WIDTH = 160
const HEIGHT = 20

export function Whisker({ mean, low, high, scale, tone = "flat" }: Props) {
  if (mean === null || !scale) return null
  const x = (value: number) => 4 + share(value, ...scale) * (WIDTH - 8)
  const middle = HEIGHT / 2
  return (
    <svg
      className={`whisker ${tone}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={
        low === null || high === null
          ? "No interval"
          : `95% interval between ${formatPercentRange(low, high)}`
      }
    >
      <line className="zero" x1={x(0)} x2={x(0)} y1="0" y2={HEIGHT} />
      {low !== null && high !== null && (
        <path
          className="range"
          d={`M${x(low)} ${middle - 4}v8M${x(low)} ${middle}H${x(high)}M${x(high)} ${middle - 4}v8`}
        />
      )}
      <circle cx={x(mean)} cy={middle} r="4" />
    </svg>
  )
}
