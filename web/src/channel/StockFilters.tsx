import { useId } from "react"
import { Icon } from "../components/Icon"
import type { Kind } from "../record/kinds"
import { COLUMNS, type Column, DEFAULT_DIRECTION, type Order } from "../record/stock-rows"
import { KindFilter } from "./KindFilter"

interface Props {
  text: string
  kind: Kind | null
  order: Order
  onText: (text: string) => void
  onKind: (kind: Kind | null) => void
  onOrder: (order: Order) => void
}

export function StockFilters({ text, kind, order, onText, onKind, onOrder }: Props) {
  const sort = useId()
  return (
    <search className="filters">
      <label className="find">
        <Icon name="search" />
        <span className="visually-hidden">Find a stock</span>
        <input
          className="field"
          type="search"
          placeholder="Ticker or name"
          value={text}
          onChange={(event) => onText(event.target.value)}
        />
      </label>
      <KindFilter legend="Show stocks with this kind of mention" kind={kind} onKind={onKind} />
      <div className="filter sort">
        <label htmlFor={sort}>Sort by</label>
        <select
          id={sort}
          className="field"
          value={order.column}
          onChange={(event) => {
            const column = event.target.value as Column
            onOrder({ column, direction: DEFAULT_DIRECTION[column] })
          }}
        >
          {Object.entries(COLUMNS).map(([column, label]) => (
            <option key={column} value={column}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </search>
  )
}
