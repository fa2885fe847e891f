import { useId } from "react"
import type { TimelineFilter } from "../api/queries"
import type { ChannelStock } from "../api/types"
import { today } from "../text/dates"
import { KindFilter } from "./KindFilter"

interface Props {
  stocks: readonly ChannelStock[]
  filter: TimelineFilter
  onChange: (part: Partial<TimelineFilter>) => void
}

export function TimelineFilters({ stocks, filter, onChange }: Props) {
  const [stock, date] = [useId(), useId()]
  const tickers = stocks.map(({ ticker }) => ticker).sort()
  const firstDay = stocks.map((each) => each.first_mention_date).sort()[0]
  return (
    <search className="filters">
      <KindFilter
        legend="Show videos with this kind of mention"
        kind={filter.kind}
        onKind={(kind) => onChange({ kind })}
      />
      <div className="filter">
        <label htmlFor={stock}>Stock</label>
        <select
          id={stock}
          className="field"
          value={filter.ticker ?? ""}
          onChange={(event) => onChange({ ticker: event.target.value || null })}
        >
          <option value="">All</option>
          {tickers.map((ticker) => (
            <option key={ticker}>{ticker}</option>
          ))}
        </select>
      </div>
      <div className="filter">
        <label htmlFor={date}>Go to date</label>
        <input
          id={date}
          className="field"
          type="date"
          min={firstDay}
          max={today()}
          value={filter.date ?? ""}
          onChange={(event) => onChange({ date: event.target.value || null })}
        />
      </div>
    </search>
  )
}
