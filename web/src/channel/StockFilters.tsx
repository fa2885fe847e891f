import { type ReactNode, useId } from "react"
import { Icon } from "../components/Icon"
import type { Kind } from "../domain/kinds"
import { KindFilter } from "./KindFilter"
import { COLUMNS, type Column, DEFAULT_DIRECTION, type Order } from "./stock-rows"

interface Props {
  text: string
  kind: Kind | null
  order: Order
  /** True if watched stocks come first; null where none of them is watched. */
  watchedFirst: boolean | null
  onWatchedFirst: (isFirst: boolean) => void
  csv: ReactNode
  onText: (text: string) => void
  onKind: (kind: Kind | null) => void
  onOrder: (order: Order) => void
}

export function StockFilters({
  text,
  kind,
  order,
  watchedFirst,
  onWatchedFirst,
  csv,
  onText,
  onKind,
  onOrder,
}: Props) {
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
      {watchedFirst !== null && (
        <label className="check watched-first">
          <input
            type="checkbox"
            checked={watchedFirst}
            onChange={(event) => onWatchedFirst(event.target.checked)}
          />
          Watched first
        </label>
      )}
      {csv}
    </search>
  )
}
