/** The frame of the chart: its range buttons, the legend of its marks, and the attribution. */

import type { ReactNode } from "react"
import { KindShape } from "../components/Kind"
import { KINDS, LABELS, LETTERS } from "../record/kinds"

export function ChartFrame({ controls, children }: { controls?: ReactNode; children: ReactNode }) {
  return (
    <figure className="chart-frame">
      <div className="chart-controls">{controls}</div>
      <div className="chart-place">{children}</div>
      <figcaption className="chart-caption">
        <span className="legend">
          {KINDS.map((kind) => (
            <span key={kind} className={kind}>
              <KindShape kind={kind} />
              {LETTERS[kind]} {LABELS[kind].toLowerCase()}
            </span>
          ))}
        </span>
        <a className="touch" href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts™, © 2025 TradingView, Inc.
        </a>
      </figcaption>
    </figure>
  )
}
