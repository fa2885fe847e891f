/** The frame of the chart: its range buttons, the legend of its marks and of the news, and the attribution. */

import type { ReactNode } from "react"
import { KindShape } from "../components/Kind"
import { KINDS, LABELS, LETTERS } from "../domain/kinds"
import "./ChartFrame.css"
import "../components/Skeletons.css"
import "./NewsLane.css"

interface Props {
  controls?: ReactNode
  /** True if calls are drawn from entry to exit. */
  hasTrades?: boolean
  children: ReactNode
}

export function ChartFrame({ controls, hasTrades, children }: Props) {
  return (
    <figure className="card chart-frame">
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
        <span className="legend">
          <span>News by day:</span>
          <span className="positive">
            <LaneMark path="M4 1h4v8H4Z" />
            positive
          </span>
          <span className="negative">
            <LaneMark path="M4 3h4v8H4Z" />
            negative
          </span>
          <span className="neutral">
            <LaneMark path="M6 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5" />
            neutral only
          </span>
        </span>
        <a className="touch" href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts™, © 2025 TradingView, Inc.
        </a>
      </figcaption>
    </figure>
  )
}

/** In place of the chart while its prices are loaded. */
export function ChartSkeleton() {
  return (
    <ChartFrame>
      <div className="chart skeleton" aria-busy="true" />
      <div className="news-lane" />
    </ChartFrame>
  )
}

/** Up from the line, down from it, or on it. */
function LaneMark({ path }: { path: string }) {
  return (
    <svg className="lane-mark" viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path className="lane-line" d={path.startsWith("M4 1") ? "M0 10.5h12" : "M0 1.5h12"} />
      <path d={path} />
    </svg>
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
