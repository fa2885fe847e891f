import { describe, expect, it } from "vitest"
import type { Channel } from "../../src/api/types"
import { watchedStocksFirst } from "../../src/channel/stock-rows"
import { lacksWatched, watchedFirst } from "../../src/domain/channels"
import { aStock } from "../builders"

describe("what is watched", () => {
  const channels = ["a", "b", "c"].map((id) => ({ id }) as Channel)
  const list = { channel_ids: ["d", "b", "gone"] }

  it("comes before the newest channels, also from later pages, and once", () => {
    const ids = watchedFirst(channels, [...channels, { id: "d" } as Channel], list).map(({ id }) => id)
    expect(ids).toEqual(["d", "b", "a", "c"])
    expect(watchedFirst(channels, [], undefined)).toEqual(channels)
  })

  it("is looked for only where the page lacks it", () => {
    expect(lacksWatched(channels, list)).toBe(true)
    expect(lacksWatched(channels, { channel_ids: ["b"] })).toBe(false)
    expect(lacksWatched(channels, undefined)).toBe(false)
  })

  it("comes before the other stocks, in the order that was chosen", () => {
    const stocks = ["D", "C", "B", "A"].map((ticker) => aStock(ticker))
    const order = watchedStocksFirst(stocks, new Set(["A", "C"])).map(({ ticker }) => ticker)
    expect(order).toEqual(["C", "A", "D", "B"])
  })
})
