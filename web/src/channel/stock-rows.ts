/** The rows of the stocks table: which are shown, and in which order. */

import type { ChannelStock } from "../api/types"
import { countsOf, type Kind } from "../domain/kinds"

export type Column = "ticker" | "first" | "then" | "now" | "change" | "mentions"
export type Direction = "ascending" | "descending"
export interface Order {
  column: Column
  direction: Direction
}

export const COLUMNS: Record<Column, string> = {
  ticker: "Stock",
  first: "First mention",
  // biome-ignore lint/suspicious/noThenProperty: the price then, beside the price now.
  then: "Price then",
  now: "Price now",
  change: "Since first mention",
  mentions: "Mentions",
}

/** The direction of a first click on a column: names from A, numbers from the largest. */
export const DEFAULT_DIRECTION: Record<Column, Direction> = {
  ticker: "ascending",
  first: "ascending",
  // biome-ignore lint/suspicious/noThenProperty: the price then, beside the price now.
  then: "descending",
  now: "descending",
  change: "descending",
  mentions: "descending",
}

export const DEFAULT_ORDER: Order = { column: "mentions", direction: "descending" }

/** Missing values come last in either direction; ties go by ticker. */
export function sortStocks(stocks: readonly ChannelStock[], { column, direction }: Order): ChannelStock[] {
  const sign = direction === "ascending" ? 1 : -1
  return [...stocks].sort((one, other) => {
    const [left, right] = [valueIn(one, column), valueIn(other, column)]
    if (left === null || right === null) {
      return Number(left === null) - Number(right === null) || byTicker(one, other)
    }
    return (left < right ? -sign : left > right ? sign : 0) || byTicker(one, other)
  })
}

/** Puts watched stocks first and keeps the order otherwise. */
export function watchedStocksFirst(
  stocks: readonly ChannelStock[],
  watched: ReadonlySet<string>,
): ChannelStock[] {
  const isWatched = ({ ticker }: ChannelStock) => watched.has(ticker)
  return [...stocks.filter(isWatched), ...stocks.filter((stock) => !isWatched(stock))]
}

export function filterStocks(
  stocks: readonly ChannelStock[],
  text: string,
  kind: Kind | null,
): ChannelStock[] {
  const wanted = text.trim().toLocaleLowerCase()
  return stocks.filter(
    (stock) =>
      (!kind || countsOf(stock)[kind] > 0) &&
      (!wanted || `${stock.ticker} ${stock.name ?? ""}`.toLocaleLowerCase().includes(wanted)),
  )
}

export function isColumn(text: string | null): text is Column {
  return text !== null && Object.hasOwn(COLUMNS, text)
}

export function nextOrder(order: Order, column: Column): Order {
  if (order.column !== column) return { column, direction: DEFAULT_DIRECTION[column] }
  return { column, direction: order.direction === "ascending" ? "descending" : "ascending" }
}

function valueIn(stock: ChannelStock, column: Column): string | number | null {
  switch (column) {
    case "ticker":
      return stock.ticker
    case "first":
      return stock.first_mention_date
    case "then":
      return stock.price_at_first_mention
    case "now":
      return stock.current_price
    case "change":
      return stock.price_change_percent
    case "mentions":
      return stock.total_mentions
  }
}

function byTicker(one: ChannelStock, other: ChannelStock): number {
  return one.ticker < other.ticker ? -1 : 1
}
