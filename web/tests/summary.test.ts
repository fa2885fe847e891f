import { describe, expect, it } from "vitest"
import { mean, median, shareInterval } from "../src/record/change"
import { howItWasMade, howSureItIs } from "../src/record/explanation"
import { summarise } from "../src/record/summary"
import { aMention, anEntry, aStock } from "./builders"

const stocks = [
  aStock("UP", { current_price: 150 }),
  aStock("DOWN", { current_price: 80 }),
  aStock("NONE", { current_price: null }),
]
const timeline = [
  anEntry("2024-03-01", aMention("UP", { price_at_mention: 200 }), aMention("DOWN", { sentiment: "sell" })),
  anEntry("2024-02-01", aMention("UP", { price_at_mention: 100 }), aMention("NONE")),
  anEntry("2024-01-01", aMention("UP", { sentiment: "mentioned", price_at_mention: 10 }), aMention("DOWN")),
]

describe("a channel's summary", () => {
  const summary = summarise(stocks, timeline)

  it("counts the calls by kind, and a mere mention as none", () => {
    expect(summary.counts).toEqual({ buy: 4, hold: 0, sell: 1, mentioned: 1 })
    expect(summary.calls).toBe(5)
  })

  it("judges each buy-call by its own price, and leaves out those without one", () => {
    expect(summary.buysUp).toMatchObject({ total: 4, priced: 3, right: 1, share: 1 / 3 })
  })

  it("counts a sell-call as right when the price fell since", () => {
    expect(summary.sellsDown).toMatchObject({ total: 1, priced: 1, right: 1, share: 1 })
  })

  it("averages each stock once, since its first buy-call and not since an earlier mention", () => {
    expect(summary.sinceFirstBuy).toEqual({ total: 3, priced: 2, mean: 15, median: 15 })
  })

  it("does not call a price that stayed the same right", () => {
    const same = summarise(
      [aStock("SAME", { current_price: 100 })],
      [anEntry("2024-01-01", aMention("SAME"))],
    )

    expect(same.buysUp).toMatchObject({ priced: 1, right: 0 })
  })

  it("has no shares and no averages where there is nothing to judge", () => {
    const empty = summarise([], [])

    expect(empty.buysUp).toMatchObject({ share: null, interval: null })
    expect(empty.sinceFirstBuy).toMatchObject({ mean: null, median: null })
    expect(empty.few).toBe(true)
  })

  it("takes ten priced buy-calls for enough, nine for few", () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, day) => anEntry(`2024-01-${10 + day}`, aMention("UP")))

    expect(summarise(stocks, calls(9)).few).toBe(true)
    expect(summarise(stocks, calls(10)).few).toBe(false)
  })
})

describe("the sentences below it", () => {
  const summary = summarise(stocks, timeline)

  it("name the day of the newest price where it is known", () => {
    const said = howItWasMade(summary, { demo: true, asOf: "2022-12-28", locale: "en-GB" }).join(" ")

    expect(said).toContain("the newest price, of 28 Dec 2022")
    expect(said).toContain("adjusted for splits and dividends")
    expect(said).toContain("1 buy-call is left out")
  })

  it("say of live prices that dividends are not counted", () => {
    const said = howItWasMade(summary, { demo: false, asOf: null }).join(" ")

    expect(said).toContain("the newest price we have")
    expect(said).toContain("Dividends are not counted")
  })

  it("warn of few calls", () => {
    expect(howSureItIs(summary, "en")).toBe(
      "3 priced buy-calls are too few to tell skill from luck: anything from 6% to 79% would fit them.",
    )
  })

  it("say that nothing can be said without a call", () => {
    expect(howSureItIs(summarise([], []))).toContain("nothing can be said")
  })
})

describe("the statistics", () => {
  it("take the middle of an odd number, and the mean of the two middles of an even one", () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([1, 9, 3, 5])).toBe(4)
    expect(median([])).toBeNull()
    expect(mean([])).toBeNull()
  })

  it("give Wilson's interval", () => {
    const [low, high] = shareInterval(8, 10) ?? []

    expect(low).toBeCloseTo(0.4902, 4)
    expect(high).toBeCloseTo(0.9433, 4)
    expect(shareInterval(0, 5)?.[0]).toBe(0)
    expect(shareInterval(5, 5)?.[1]).toBe(1)
    expect(shareInterval(0, 0)).toBeNull()
  })
})
