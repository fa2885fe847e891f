/** The figures behind a verdict, for readers who know them. */

import type { HorizonScore, LeaderboardEntry } from "../api/types"
import { Term } from "../components/Term"
import type { Term as TermName } from "../domain/definitions"
import {
  formatChange,
  formatCount,
  formatNumber,
  formatPercentRange,
  formatProbability,
} from "../text/numbers"
import "./Statistics.css"

interface Props {
  figures: HorizonScore
  entry: LeaderboardEntry | null | undefined
}

export function Statistics({ figures, entry }: Props) {
  return (
    <details className="statistics">
      <summary>The statistics</summary>
      <dl>
        {rowsOf(figures, entry).map(([term, name, value]) => (
          <div key={name} data-term={term}>
            <dt>
              <Term of={term}>{name}</Term>
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function rowsOf(figures: HorizonScore, entry: Props["entry"]): [TermName, string, string][] {
  const { reading } = figures
  return [
    ["alpha", "Alpha a year", withT(figures.alpha_percent, figures.alpha_t)],
    ["timing", "Alpha over its own stocks", withT(figures.timing_alpha_percent, figures.timing_t)],
    ["luck", "Far from the market by luck", formatProbability(figures.p_value)],
    ["timing", "Far from its stocks by luck", formatProbability(figures.timing_p_value)],
    ["joint", "Both by luck", formatProbability(entry?.joint_p_value ?? null)],
    ["corrected_luck", "Corrected for all judged", formatProbability(entry?.q_value ?? null)],
    [
      "mean_excess",
      "95% interval of the mean excess",
      range(figures.excess_low_percent, figures.excess_high_percent),
    ],
    ["net_excess", "Mean excess after costs", formatChange(figures.mean_excess_net_percent)],
    ["independent_calls", "Independent calls", formatNumber(figures.independent_calls, 1)],
    ["beta", "Beta", formatNumber(figures.beta)],
    ["alpha", "Days invested", formatCount(figures.days_invested)],
    [
      "corrected_excess",
      "Mean excess if read correctly",
      withRange(
        reading.mean_excess_corrected,
        reading.mean_excess_corrected_low,
        reading.mean_excess_corrected_high,
      ),
    ],
    ["tipping_excess", "Missed calls that would undo it", formatChange(reading.tipping_excess)],
  ]
}

function withT(percent: number | null, t: number | null): string {
  return t === null ? formatChange(percent) : `${formatChange(percent)} (t ${formatNumber(t, 1)})`
}

function range(low: number | null, high: number | null): string {
  return low === null || high === null ? "–" : formatPercentRange(low, high)
}

function withRange(value: number | null, low: number | null, high: number | null): string {
  const interval = low === null || high === null ? "" : ` (${range(low, high)})`
  return `${formatChange(value)}${interval}`
}
