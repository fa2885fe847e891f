import { useId } from "react"
import { Icon } from "../parts/Icon"
import { KindShape } from "../parts/Kind"
import { KINDS, type Kind, LABELS } from "../record/kinds"
import { COLUMNS, type Column, FIRST_DIRECTION, type Order } from "../record/stock-rows"

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
      <fieldset className="segments small">
        <legend className="visually-hidden">Only stocks with a call of this kind</legend>
        {[null, ...KINDS].map((each) => (
          <label key={each ?? "all"}>
            <input type="radio" name="kind" checked={kind === each} onChange={() => onKind(each)} />
            <span>
              {each && <KindShape kind={each} />}
              {each ? LABELS[each] : "All"}
            </span>
          </label>
        ))}
      </fieldset>
      <div className="sort-choice">
        <label htmlFor={sort}>Sort by</label>
        <select
          id={sort}
          className="field"
          value={order.column}
          onChange={(event) => {
            const column = event.target.value as Column
            onOrder({ column, direction: FIRST_DIRECTION[column] })
          }}
        >
          {Object.entries(COLUMNS).map(([column, word]) => (
            <option key={column} value={column}>
              {word}
            </option>
          ))}
        </select>
      </div>
    </search>
  )
}
