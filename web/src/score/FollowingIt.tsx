/** The curve of following the channel against the S&P 500. Strategy, costs and amount are part of the URL. */

import { useQuery } from "@tanstack/react-query"
import { useEffect, useId } from "react"
import { useLoadError } from "../api/load-error"
import { backtestQuery } from "../api/score-queries"
import type { Backtest, BacktestStats, Horizon, Strategy } from "../api/types"
import { CurveChart } from "../charts/CurveChart"
import { useDefaults } from "../components/defaults"
import { Scroller } from "../components/Scroller"
import { EmptyState, ErrorState } from "../components/States"
import { Term } from "../components/Term"
import { useUrlState } from "../components/url-state"
import {
  amountIn,
  amountParameter,
  COSTS,
  costsIn,
  costsParameter,
  DEFAULT_STRATEGY,
  formatCosts,
  STRATEGIES,
  STRATEGY_LABELS,
  STRATEGY_NOTES,
  strategyIn,
  withPresent,
} from "../domain/backtest"
import type { Term as TermName } from "../domain/definitions"
import { HORIZON_WORDS } from "../domain/horizons"
import { formatAmount, formatChange, formatNumber, formatShare } from "../text/numbers"
import "./FollowingIt.css"
import "../components/Skeletons.css"

export function FollowingIt({ channelId, horizon }: { channelId: string; horizon: Horizon }) {
  const [search, change] = useUrlState()
  const own = useDefaults().costs
  const [strategy, costs] = [strategyIn(search), costsIn(search, own)]
  const isUnnamed = !search.has("costs") && costsParameter(costs, own) !== null
  // As with the horizon: the address shows everybody the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function changes on every render.
  useEffect(() => {
    if (isUnnamed) change({ costs: costsParameter(costs, own) })
  }, [isUnnamed, costs, own])
  const [strategyField, costsField, amountField] = [useId(), useId(), useId()]
  const amount = amountIn(search)
  const backtest = useQuery(backtestQuery(channelId, strategy, horizon, costs))
  const loadError = useLoadError(backtest)
  return (
    <section className="card panel" aria-label="Following it">
      <div className="panel-head">
        <h2 className="section-title">What following it would have made</h2>
        <div className="filters">
          <div className="filter">
            <label htmlFor={strategyField}>Strategy</label>
            <select
              id={strategyField}
              className="field"
              value={strategy}
              onChange={(event) => {
                const chosen = event.target.value as Strategy
                change({ strategy: chosen === DEFAULT_STRATEGY ? null : chosen })
              }}
            >
              {STRATEGIES.map((each) => (
                <option key={each} value={each}>
                  {STRATEGY_LABELS[each]}
                </option>
              ))}
            </select>
          </div>
          <div className="filter">
            <label htmlFor={costsField}>Costs per trade</label>
            <select
              id={costsField}
              className="field"
              value={costs}
              onChange={(event) => {
                const chosen = Number(event.target.value)
                change({ costs: costsParameter(chosen, own) })
              }}
            >
              {withPresent(COSTS, costs).map((each) => (
                <option key={each} value={each}>
                  {formatCosts(each)}
                </option>
              ))}
            </select>
          </div>
          <div className="filter">
            <label htmlFor={amountField}>Amount in dollars</label>
            <input
              id={amountField}
              className="field amount"
              type="number"
              min={1}
              defaultValue={amount}
              onChange={(event) => change({ amount: amountParameter(Number(event.target.value)) })}
            />
          </div>
        </div>
      </div>
      <p className="soft panel-note">
        {STRATEGY_NOTES[strategy]} Each call is held for {HORIZON_WORDS[horizon]}, in equal parts, beginning
        with {formatAmount(amount)}, after costs. “On the same days” is the index while something is held and
        a Treasury bill otherwise: what is above it is not merely the time in the market.
      </p>
      {loadError && <ErrorState title="Couldn’t load the curve" error={loadError} retry={backtest.refetch} />}
      {!backtest.data && !loadError && <div className="skeleton curve-outline" aria-busy="true" />}
      {backtest.data?.points.length === 0 && <EmptyState title="No trades with this strategy" />}
      {backtest.data && backtest.data.points.length > 0 && (
        <Result backtest={backtest.data} amount={amount} />
      )}
    </section>
  )
}

const SAME_DAYS = "S&P 500 on the same days"

function Result({ backtest, amount }: { backtest: Backtest; amount: number }) {
  const { points } = backtest
  const curve = (value: (point: Backtest["points"][number]) => number) =>
    points.map((point) => ({ date: point.date, value: (value(point) * amount) / 100 }))
  const name = backtest.strategy === "inverse" ? "Doing the opposite" : "Following it"
  return (
    <>
      <CurveChart
        dollars={amount}
        curves={[
          { label: name, points: curve(({ value }) => value) },
          { label: SAME_DAYS, points: curve(({ index_on_same_days }) => index_on_same_days) },
          { label: "S&P 500", points: curve(({ benchmark }) => benchmark), isBenchmark: true },
        ]}
      />
      <Stats
        amount={amount}
        rows={[
          { label: name, stats: backtest.stats },
          { label: SAME_DAYS, stats: backtest.same_days_stats },
          { label: "S&P 500", stats: backtest.benchmark_stats },
        ]}
      />
    </>
  )
}

const COLUMNS: [TermName, string, (stats: BacktestStats) => string][] = [
  ["cagr", "Growth a year", ({ cagr_percent }) => formatChange(cagr_percent)],
  [
    "volatility",
    "Volatility",
    ({ volatility_percent: value }) => formatShare(value === null ? null : value / 100),
  ],
  ["sharpe", "Sharpe ratio", ({ sharpe }) => formatNumber(sharpe)],
  ["drawdown", "Deepest fall", ({ max_drawdown_percent }) => formatChange(max_drawdown_percent)],
  [
    "turnover",
    "Turnover a year",
    ({ turnover_per_year: value }) => (value === null ? "–" : `${formatNumber(value, 1)}×`),
  ],
]

interface StatsProps {
  amount: number
  rows: readonly { label: string; stats: BacktestStats }[]
}

function Stats({ amount, rows }: StatsProps) {
  const became = ({ final_value: value }: BacktestStats) =>
    formatAmount(value === null ? null : (value * amount) / 100)
  const columns: typeof COLUMNS = [["final_value", `${formatAmount(amount)} became`, became], ...COLUMNS]
  return (
    <Scroller label="Figures of the curves">
      <table className="grid-table stats">
        <thead>
          <tr>
            <td />
            {columns.map(([term, label]) => (
              <th key={term} scope="col" className="number">
                <Term of={term}>{label}</Term>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, stats }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map(([term, , value]) => (
                <td key={term} className="number" data-term={term}>
                  {value(stats)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
