/** The stocks a channel spoke of. Order and filter are part of the address, so that they survive a visit elsewhere. */

import type { UseQueryResult } from "@tanstack/react-query"
import { useMemo } from "react"
import { useSearchParams } from "wouter"
import type { ChannelStock, TimelineEntry } from "../api/types"
import { RowsSkeleton } from "../parts/Skeletons"
import { Empty, Failed } from "../parts/States"
import { firstMentions } from "../record/first-mentions"
import { KINDS, type Kind } from "../record/kinds"
import { filterStocks, isColumn, type Order, sortStocks, USUAL_ORDER } from "../record/stock-rows"
import { counted } from "../text/numbers"
import { StockFilters } from "./StockFilters"
import { StocksTable } from "./StocksTable"

interface Props {
  channelId: string
  running: boolean
  stocks: UseQueryResult<ChannelStock[]>
  timeline: readonly TimelineEntry[] | undefined
}

export function StocksTab({ channelId, running, stocks, timeline }: Props) {
  const [search, setSearch] = useSearchParams()
  const text = search.get("find") ?? ""
  const kind = KINDS.find((each) => each === search.get("kind")) ?? null
  const { column, direction } = orderOf(search)
  const firsts = useMemo(() => timeline && firstMentions(timeline), [timeline])
  const rows = useMemo(
    () => sortStocks(filterStocks(stocks.data ?? [], text, kind), { column, direction }),
    [stocks.data, text, kind, column, direction],
  )
  const order = { column, direction }
  const change = (changes: Record<string, string | null>) =>
    setSearch(
      (known) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) known.set(name, value)
          else known.delete(name)
        }
        return known
      },
      { replace: true },
    )

  if (stocks.isPending) return <RowsSkeleton />
  if (stocks.error && !stocks.data) {
    return <Failed what="The stocks could not be loaded" problem={stocks.error} retry={stocks.refetch} />
  }
  if (!stocks.data.length) {
    return (
      <Empty title={running ? "No stock so far" : "No stock was called"}>
        <p className="soft">
          {running
            ? "The first ones appear here as videos are read."
            : "None of the videos read speaks of a stock."}
        </p>
      </Empty>
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
          firsts={firsts}
          order={order}
          onOrder={(chosen) => change({ sort: chosen.column, direction: chosen.direction })}
        />
      ) : (
        <Empty title="No stock fits">
          <button type="button" className="button" onClick={() => change({ find: null, kind: null })}>
            Show all
          </button>
        </Empty>
      )}
    </section>
  )
}

function orderOf(search: URLSearchParams): Order {
  const column = search.get("sort")
  if (!isColumn(column)) return USUAL_ORDER
  return { column, direction: search.get("direction") === "ascending" ? "ascending" : "descending" }
}
