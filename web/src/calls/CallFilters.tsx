import { type ReactNode, useId } from "react"
import type { CallFilter } from "../api/score-queries"
import type { ChannelStock } from "../api/types"
import { HorizonSwitch } from "../components/HorizonSwitch"
import { KindShape } from "../components/Kind"
import { STATUS_LABELS, STATUSES } from "../domain/calls"
import { LABELS } from "../domain/kinds"

interface Props {
  stocks: readonly ChannelStock[]
  filter: CallFilter
  csv: ReactNode
  onChange: (changes: Record<string, string | null>) => void
}

export function CallFilters({ stocks, filter, csv, onChange }: Props) {
  const [stock, status] = [useId(), useId()]
  const called = stocks.filter(({ buy_count, sell_count }) => buy_count + sell_count > 0)
  return (
    <search className="filters">
      <HorizonSwitch />
      <fieldset className="segments small">
        <legend className="visually-hidden">Show this kind of call</legend>
        {([null, "buy", "sell"] as const).map((kind) => (
          <label key={kind ?? "all"}>
            <input
              type="radio"
              name="kind"
              checked={filter.kind === kind}
              onChange={() => onChange({ kind })}
            />
            <span>
              {kind && <KindShape kind={kind} />}
              {kind ? LABELS[kind] : "All"}
            </span>
          </label>
        ))}
      </fieldset>
      <div className="filter">
        <label htmlFor={status}>Status</label>
        <select
          id={status}
          className="field"
          value={filter.status ?? ""}
          onChange={(event) => onChange({ status: event.target.value })}
        >
          <option value="">All</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {STATUS_LABELS[each]}
            </option>
          ))}
        </select>
      </div>
      <div className="filter">
        <label htmlFor={stock}>Stock</label>
        <select
          id={stock}
          className="field"
          value={filter.ticker ?? ""}
          onChange={(event) => onChange({ ticker: event.target.value })}
        >
          <option value="">All</option>
          {called
            .map(({ ticker }) => ticker)
            .sort()
            .map((ticker) => (
              <option key={ticker}>{ticker}</option>
            ))}
        </select>
      </div>
      {csv}
    </search>
  )
}
