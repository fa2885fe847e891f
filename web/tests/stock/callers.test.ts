import { describe, expect, it } from "vitest"
import { callersOf, describeLoaded } from "../../src/stock/callers"
import { aCall, aChannel } from "../builders"

describe("who called a stock", () => {
  const [one, other] = [aChannel("One"), aChannel("Other")]

  it("is a row per channel, the newest caller first, with pending calls apart", () => {
    const callers = callersOf([
      { ...aCall({ published_at: "2024-03-01", excess_percent: 4 }), channel: one },
      { ...aCall({ published_at: "2024-02-01", excess_percent: -1, sentiment: "sell" }), channel: one },
      { ...aCall({ published_at: "2024-05-01", excess_percent: null, status: "pending" }), channel: other },
    ])

    expect(callers).toEqual([
      {
        channel: other,
        buys: 1,
        sells: 0,
        right: 0,
        scored: 0,
        pending: 1,
        meanExcess: null,
        newest: "2024-05-01",
      },
      {
        channel: one,
        buys: 1,
        sells: 1,
        right: 1,
        scored: 2,
        pending: 0,
        meanExcess: 1.5,
        newest: "2024-03-01",
      },
    ])
  })

  it("says that figures are over the newest calls while there are older ones", () => {
    expect(describeLoaded(50, true, "en")).toBe("The newest 50 calls")
    expect(describeLoaded(1, true, "en")).toBe("The newest call")
    expect(describeLoaded(1050, false, "en")).toBe("1,050 calls")
    expect(describeLoaded(1, false, "en")).toBe("1 call")
  })
})
