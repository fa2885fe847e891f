import { describe, expect, it } from "vitest"
import { isWatched, toggled } from "../../src/domain/watchlist"

describe("the watchlist", () => {
  const list = { tickers: ["AMD"], channel_ids: ["one"], version: 3 }

  it("takes and drops one without touching the rest", () => {
    expect(toggled(list, { ticker: "NVDA" }, true)).toEqual({ ...list, tickers: ["AMD", "NVDA"] })
    expect(toggled(list, { channelId: "one" }, false)).toEqual({ ...list, channel_ids: [] })
    expect(toggled(list, { ticker: "AMD" }, true)).toEqual(list)
    expect(isWatched(list, { channelId: "one" })).toBe(true)
    expect(isWatched(undefined, { ticker: "AMD" })).toBe(false)
  })
})
