import { describe, expect, it } from "vitest"
import { amountIn, amountParameter, costsIn, strategyIn } from "../../src/domain/backtest"
import { horizonIn, horizonSearch } from "../../src/domain/horizons"
import { channelsIn, compareLink } from "../../src/leaderboard/compare"

describe("what the URL says", () => {
  it("is taken where it is valid, and the default otherwise", () => {
    const good = new URLSearchParams("horizon=1y&strategy=inverse&costs=0")
    const bad = new URLSearchParams("horizon=2y&strategy=yolo&costs=-5")

    expect([horizonIn(good), strategyIn(good), costsIn(good)]).toEqual(["1y", "inverse", 0])
    expect([horizonIn(bad), strategyIn(bad), costsIn(bad)]).toEqual(["3m", "follow", 10])
  })

  it("names the amount invested where it is not the usual", () => {
    expect(amountIn(new URLSearchParams("amount=2500"))).toBe(2500)
    expect(
      ["amount=0", "amount=much", "amount=1e12", ""].map((each) => amountIn(new URLSearchParams(each))),
    ).toEqual([10_000, 10_000, 10_000, 10_000])
    expect([amountParameter(10_000), amountParameter(1000), amountParameter(-1)]).toEqual([
      null,
      "1000",
      null,
    ])
  })

  it("names at most four channels, each once", () => {
    expect(channelsIn(new URLSearchParams("channels=a,b,a,,c,d,e"))).toEqual(["a", "b", "c", "d"])
    expect(channelsIn(new URLSearchParams(""))).toEqual([])
  })

  it("is short for the default", () => {
    expect(horizonSearch("3m")).toBe("")
    expect(compareLink(["a", "b"], "3m")).toBe("/compare?channels=a,b")
    expect(compareLink(["a", "b"], "1w")).toBe("/compare?channels=a,b&horizon=1w")
  })
})
