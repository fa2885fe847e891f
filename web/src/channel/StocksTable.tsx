/** The table of stocks. On a phone each row becomes a card; the roles keep it a table for screen readers. */

import { Link } from "wouter"
import type { ChannelStock } from "../api/types"
import { ExternalLink } from "../components/ExternalLink"
import { KindBar, KindChip } from "../components/Kind"
import { Price } from "../components/Price"
import { Unknown } from "../components/Unknown"
import { WatchedMark } from "../components/WatchedMark"
import { countsOf, type Kind } from "../domain/kinds"
import { newestPriceDay, olderPriceDay } from "../domain/price-problems"
import { formatDay } from "../text/dates"
import { formatChange } from "../text/numbers"
import { COLUMNS, type Column, nextOrder, type Order } from "./stock-rows"
import "./StocksTable.css"
import "../components/Price.css"

interface Props {
  channelId: string
  rows: readonly ChannelStock[]
  /** The tickers that the reader watches. */
  watched: ReadonlySet<string>
  /** The kind of each stock's first mention, by ticker. */
  firstMentions: Record<string, Kind>
  order: Order
  onOrder: (order: Order) => void
}

const NUMERIC = new Set<Column>(["then", "now", "change"])

export function StocksTable({ channelId, rows, watched, firstMentions, order, onOrder }: Props) {
  const newest = newestPriceDay(rows)
  return (
    <table className="stocks" role="table">
      <caption className="visually-hidden">Stocks mentioned by this channel</caption>
      <thead role="rowgroup">
        <tr role="row">
          {(Object.keys(COLUMNS) as Column[]).map((column) => (
            <th
              key={column}
              scope="col"
              role="columnheader"
              className={NUMERIC.has(column) ? "number" : ""}
              aria-sort={order.column === column ? order.direction : undefined}
            >
              <button type="button" onClick={() => onOrder(nextOrder(order, column))}>
                {COLUMNS[column]}
                <span className="arrow" aria-hidden="true">
                  {order.column === column ? (order.direction === "ascending" ? "↑" : "↓") : ""}
                </span>
              </button>
            </th>
          ))}
          <th scope="col" role="columnheader">
            <span className="visually-hidden">Links</span>
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((stock) => (
          <Row
            key={stock.ticker}
            channelId={channelId}
            stock={stock}
            isWatched={watched.has(stock.ticker)}
            first={firstMentions[stock.ticker]}
            olderDay={olderPriceDay(stock, newest)}
          />
        ))}
      </tbody>
    </table>
  )
}

function Row({
  channelId,
  stock,
  isWatched,
  first,
  olderDay,
}: {
  channelId: string
  stock: ChannelStock
  isWatched: boolean
  first: Kind | undefined
  /** The day of its price, where others have a newer one. */
  olderDay: string | null
}) {
  return (
    <tr role="row">
      <th scope="row" role="rowheader" className="cell-stock">
        <Link
          href={`/channels/${channelId}/stocks/${encodeURIComponent(stock.ticker)}`}
          className="stock-link"
        >
          <span className="ticker">
            {stock.ticker} {isWatched && <WatchedMark />}
          </span>{" "}
          <span className="stock-name" dir="auto">
            {stock.name}
          </span>
        </Link>
      </th>
      <td role="cell" className="cell-first">
        <span className="first-kind">{first && <KindChip kind={first} />}</span>
        <time dateTime={stock.first_mention_date} title={stock.first_mention_video_title}>
          {formatDay(stock.first_mention_date)}
        </time>
      </td>
      <td role="cell" className="number cell-then">
        <Price price={stock.price_at_first_mention} problem={stock.price_problem} />
      </td>
      <td role="cell" className="number cell-now">
        <Price price={stock.current_price} problem={stock.price_problem} />
        {olderDay && <span className="price-day">price of {formatDay(olderDay)}</span>}
      </td>
      <td role="cell" className="number cell-change" data-term="change_since_mention">
        {stock.price_change_percent === null ? (
          <Unknown label="No price" />
        ) : (
          formatChange(stock.price_change_percent)
        )}
      </td>
      <td role="cell" className="cell-mentions">
        <KindBar counts={countsOf(stock)} />
      </td>
      <td role="cell" className="cell-out">
        <ExternalLink address={stock.yahoo_finance_url} label={`${stock.ticker} on Yahoo Finance`}>
          <span className="out-word">Yahoo</span>
        </ExternalLink>
      </td>
    </tr>
  )
}
