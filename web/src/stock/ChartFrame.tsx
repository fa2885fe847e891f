/** The frame of the chart: its range buttons, the legend of its marks, and the attribution. */

import type { ReactNode } from "react"
import { KindShape } from "../components/Kind"
import { KINDS, LABELS, LETTERS } from "../record/kinds"

interface Props {
  controls?: ReactNode
  /** Whether calls are drawn from entry to exit. */
  hasTrades?: boolean
  children: ReactNode
}

export function ChartFrame({ controls, hasTrades, children }: Props) {
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
          {hasTrades && (
            <>
              <span className="buy">
                <TradeLine />
                right call, entry to exit
              </span>
              <span className="sell">
                <TradeLine />
                wrong call
              </span>
              <span className="undecided">
                <TradeLine />
                pending
              </span>
            </>
          )}
        </span>
        <a className="touch" href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts™, © 2025 TradingView, Inc.
        </a>
      </figcaption>
    </figure>
  )
}

function TradeLine() {
  return (
    <svg className="trade-line" viewBox="0 0 24 8" aria-hidden="true" focusable="false">
      <path d="M4 4h16" />
      <circle cx="4" cy="4" r="3" />
      <rect x="17.5" y="1.5" width="5" height="5" />
    </svg>
  )
}
