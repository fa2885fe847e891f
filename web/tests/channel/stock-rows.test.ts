import { describe, expect, it } from "vitest"
import {
  type Column,
  type Direction,
  filterStocks,
  nextOrder,
  sortStocks,
} from "../../src/channel/stock-rows"
import { aStock } from "../builders"

const rows = [
  aStock("BBB", { price_change_percent: -5, current_price: null, name: "Best Buy", sell_count: 1 }),
  aStock("AAA", { price_change_percent: 12, current_price: 3, name: "Größe AG" }),
  aStock("CCC", { price_change_percent: null, current_price: 20, name: null, buy_count: 0 }),
]

const tickers = (column: Column, direction: Direction) =>
  sortStocks(rows, { column, direction }).map((row) => row.ticker)

describe("the stocks table", () => {
  it("sorts numbers as numbers", () => {
    expect(tickers("now", "ascending")).toEqual(["AAA", "CCC", "BBB"])
  })

  it("puts missing values last in both directions", () => {
    expect(tickers("change", "ascending")).toEqual(["BBB", "AAA", "CCC"])
    expect(tickers("change", "descending")).toEqual(["AAA", "BBB", "CCC"])
  })

  it("breaks ties by ticker", () => {
    expect(tickers("mentions", "descending")).toEqual(["AAA", "BBB", "CCC"])
  })

  it("reverses the order on a second click, and starts with a column's default direction", () => {
    const first = nextOrder({ column: "mentions", direction: "descending" }, "ticker")

    expect(first).toEqual({ column: "ticker", direction: "ascending" })
    expect(nextOrder(first, "ticker").direction).toBe("descending")
  })

  it("finds a part of the ticker or the name, in any case", () => {
    expect(filterStocks(rows, " best ", null).map((row) => row.ticker)).toEqual(["BBB"])
    expect(filterStocks(rows, "GRÖSSE", null)).toHaveLength(0)
    expect(filterStocks(rows, "größe", null).map((row) => row.ticker)).toEqual(["AAA"])
    expect(filterStocks(rows, "cc", null).map((row) => row.ticker)).toEqual(["CCC"])
  })

  it("shows the stocks with a mention of the chosen kind", () => {
    expect(filterStocks(rows, "", "sell").map((row) => row.ticker)).toEqual(["BBB"])
    expect(filterStocks(rows, "", "buy").map((row) => row.ticker)).toEqual(["BBB", "AAA"])
  })
})
