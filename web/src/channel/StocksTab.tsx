/** The stocks of a channel. Sort order and filter are part of the URL, so they survive going back. */

import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { watchlistQuery } from "../api/alert-queries"
import type { ChannelStocks } from "../api/types"
import { CsvLink } from "../components/CsvLink"
import { EmptyState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { KINDS, type Kind } from "../domain/kinds"
import { counted } from "../text/numbers"
import { StockFilters } from "./StockFilters"
import { StocksTable } from "./StocksTable"
import {
  DEFAULT_ORDER,
  filterStocks,
  isColumn,
  type Order,
  sortStocks,
  watchedStocksFirst,
} from "./stock-rows"

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
  const list = useQuery(watchlistQuery())
  const tickers = list.data?.tickers
  const watched = useMemo(() => new Set(tickers), [tickers])
  const hasWatched = data.stocks.some(({ ticker }) => watched.has(ticker))
  const isWatchedFirst = hasWatched && search.get("watched") !== "mixed"
  const rows = useMemo(() => {
    const sorted = sortStocks(filterStocks(data.stocks, text, kind), { column, direction })
    return isWatchedFirst ? watchedStocksFirst(sorted, watched) : sorted
  }, [data.stocks, text, kind, column, direction, isWatchedFirst, watched])
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
        watchedFirst={hasWatched ? isWatchedFirst : null}
        onWatchedFirst={(isFirst) => change({ watched: isFirst ? null : "mixed" })}
        csv={<CsvLink path={`/api/channels/${channelId}/stocks`} label="All stocks of this channel as CSV" />}
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
          watched={watched}
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
