/** The chart's place, with what its marks mean and whose chart it is. */

import type { ReactNode } from "react"
import { KindShape } from "../parts/Kind"
import { KINDS, LABELS, LETTERS } from "../record/kinds"

export function ChartFrame({ children }: { children: ReactNode }) {
  return (
    <figure className="chart-frame">
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
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts™, © 2025 TradingView, Inc.
        </a>
      </figcaption>
    </figure>
  )
}
