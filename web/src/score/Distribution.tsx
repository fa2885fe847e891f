/** How many calls ended how far above or below the S&P 500. */

import type { Bar, DetailedScore } from "../api/types"
import { Term } from "../components/Term"
import { useWidth } from "../components/width"
import { counted, formatChange, formatCount } from "../text/numbers"
import "./Distribution.css"
import "../charts/CurveChart.css"

const HEIGHT = 190
const MARGIN = { top: 20, bottom: 26, side: 8 }

export function Distribution({ figures }: { figures: DetailedScore }) {
  const [place, width] = useWidth<HTMLDivElement>()
  const bars = figures.distribution
  return (
    <section className="card panel" aria-label="Distribution">
      <h2 className="section-title">
        <Term of="distribution">How calls ended against the S&amp;P 500</Term>
      </h2>
      <div ref={place} className="distribution">
        {bars.length > 0 && width > 0 && <Bars bars={bars} width={width} />}
      </div>
      <p className="soft panel-note">
        Mean {formatChange(figures.mean_excess_percent)}, median {formatChange(figures.median_excess_percent)}
        {figures.pending > 0 &&
          `. ${counted(figures.pending, "pending call is", "pending calls are")} not in it`}
        .
      </p>
    </section>
  )
}

function Bars({ bars, width }: { bars: readonly Bar[]; width: number }) {
  const most = Math.max(...bars.map(({ calls }) => calls))
  const step = (width - 2 * MARGIN.side) / bars.length
  const height = (count: number) => (count / most) * (HEIGHT - MARGIN.top - MARGIN.bottom)
  const bottom = HEIGHT - MARGIN.bottom
  const x = (index: number) => MARGIN.side + index * step
  const everyLabel = Math.ceil(52 / step)
  const zero = bars.findIndex(({ from_percent }) => from_percent === 0)
  return (
    <svg width={width} height={HEIGHT} role="img" aria-label={describe(bars)}>
      {bars.map(({ from_percent: from, to_percent: to, calls: count }, index) => (
        <g key={from} className={to <= 0 ? "down" : "up"}>
          <rect
            x={x(index) + 1}
            width={Math.max(1, step - 2)}
            y={bottom - height(count)}
            height={height(count)}
            rx="2"
          >
            <title>{`${label(bars, index)}: ${counted(count, "call", "calls")}`}</title>
          </rect>
          {count > 0 && (
            <text x={x(index) + step / 2} y={bottom - height(count) - 5} textAnchor="middle">
              {formatCount(count)}
            </text>
          )}
        </g>
      ))}
      <line className="zero" x1={x(zero)} x2={x(zero)} y1={MARGIN.top - 8} y2={bottom + 4} />
      {bars.map(
        ({ from_percent: from }, index) =>
          (index - zero) % everyLabel === 0 && (
            <text
              key={from}
              className="axis"
              x={x(index)}
              y={HEIGHT - 8}
              textAnchor={index === 0 ? "start" : "middle"}
            >
              {formatChange(from).replace(/[.,]0/, "")}
            </text>
          ),
      )}
    </svg>
  )
}

function label(bars: readonly Bar[], index: number): string {
  const { from_percent: from, to_percent: to } = bars[index] ?? { from_percent: 0, to_percent: 0 }
  if (index === 0) return `Below ${formatChange(to)}`
  return index === bars.length - 1
    ? `Above ${formatChange(from)}`
    : `${formatChange(from)} to ${formatChange(to)}`
}

function describe(bars: readonly Bar[]): string {
  const parts = bars.flatMap(({ calls: count }, index) => (count ? `${label(bars, index)}: ${count}` : []))
  return `Calls by excess over the S&P 500. ${parts.join(", ")}`
}
