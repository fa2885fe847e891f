/** The stocks of a channel. Sort order and filter are part of the URL, so they survive going back. */

import { useMemo } from "react"
import type { ChannelStocks } from "../api/types"
import { EmptyState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { KINDS, type Kind } from "../record/kinds"
import { DEFAULT_ORDER, filterStocks, isColumn, type Order, sortStocks } from "../record/stock-rows"
import { counted } from "../text/numbers"
import { StockFilters } from "./StockFilters"
import { StocksTable } from "./StocksTable"

interface Props {
  channelId: string
  running: boolean
  data: ChannelStocks
}

export function StocksTab({ channelId, running, data }: Props) {
  const [search, change] = useUrlState()
  const text = search.get("find") ?? ""
  const kind = KINDS.find((each) => each === search.get("kind")) ?? null
  const { column, direction } = orderOf(search)
  const rows = useMemo(
    () => sortStocks(filterStocks(data.stocks, text, kind), { column, direction }),
    [data.stocks, text, kind, column, direction],
  )
  const order = { column, direction }

  if (!data.stocks.length) {
    return (
      <EmptyState title={running ? "No stocks yet" : "No stocks mentioned"}>
        <p className="soft">
          {running ? "Stocks appear here as videos are read." : "None of the videos read mentions a stock."}
        </p>
      </EmptyState>
    )
  }
  return (
    <section aria-label="Stocks">
      <StockFilters
        text={text}
        kind={kind}
        order={order}
        onText={(find) => change({ find })}
        onKind={(chosen: Kind | null) => change({ kind: chosen })}
        onOrder={(chosen) => change({ sort: chosen.column, direction: chosen.direction })}
      />
      <p className="visually-hidden" role="status">
        {counted(rows.length, "stock", "stocks")} shown
      </p>
      {rows.length ? (
        <StocksTable
          channelId={channelId}
          rows={rows}
          firstMentions={data.summary.first_mentions}
          order={order}
          onOrder={(chosen) => change({ sort: chosen.column, direction: chosen.direction })}
        />
      ) : (
        <EmptyState title="No matching stocks">
          <button type="button" className="button" onClick={() => change({ find: null, kind: null })}>
            Clear filters
          </button>
        </EmptyState>
      )}
    </section>
  )
}

function orderOf(search: URLSearchParams): Order {
  const column = search.get("sort")
  if (!isColumn(column)) return DEFAULT_ORDER
  return { column, direction: search.get("direction") === "ascending" ? "ascending" : "descending" }
}
