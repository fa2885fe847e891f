/** Why a price is missing or old, in words. */

import type { ChannelStock, PriceProblem } from "../api/types"

export const PROBLEM_LABELS: Record<PriceProblem, string> = {
  blocked: "Source blocked",
  unknown_ticker: "Unknown ticker",
  not_at_source: "Not at source",
  departed: "Left the exchange",
  delisted: "Delisted",
  quota_used_up: "Quota used up",
  unavailable: "Source unavailable",
  no_trading: "Not traded",
  nonsense: "Source unreadable",
  awaiting_close: "Awaits the close",
  not_fetched: "Being fetched",
}

/** The newest day on which any of the stocks traded. */
export function newestPriceDay(stocks: readonly ChannelStock[]): string {
  return stocks.reduce((newest, { price_as_of: day }) => (day && day > newest ? day : newest), "")
}

/** The day of a stock's price, where it is older than the newest one. */
export function olderPriceDay(stock: ChannelStock, newest: string): string | null {
  return stock.price_as_of && stock.price_as_of < newest ? stock.price_as_of : null
}
