import { describe, expect, it } from "vitest"
import { callersOf, describeLoaded } from "../src/record/callers"
import { describeOutcome, outcomeOf, toneOf } from "../src/record/calls"
import { formatTimecode } from "../src/text/numbers"
import { aCall, aChannel } from "./builders"

describe("the outcome of a call", () => {
  it("follows the excess, not the price: a sell before a rise is wrong", () => {
    const sell = aCall({
      sentiment: "sell",
      entry_price: 100,
      exit_price: 244,
      return_percent: -144,
      excess_percent: -120,
    })

    expect(toneOf(sell)).toBe("down")
    expect(describeOutcome(sell)).toBe("Wrong")
  })

  it("is right for a buy that fell less than the market", () => {
    expect(outcomeOf(aCall({ return_percent: -5, benchmark_percent: -12, excess_percent: 7 }))).toBe("right")
  })

  it("is neither while a call is pending or has no price", () => {
    const pending = aCall({ status: "pending", excess_percent: null, matures_on: "2024-04-03" })

    expect(toneOf(pending)).toBe("flat")
    expect(describeOutcome(pending, "en-GB")).toBe("Pending until 3 Apr 2024")
    expect(describeOutcome({ ...pending, matures_on: null })).toBe("Pending")
    expect(describeOutcome(aCall({ status: "unpriced", excess_percent: null }))).toBe("No price")
  })

  it("is marked where the stock stopped trading", () => {
    expect(describeOutcome(aCall({ status: "ended", excess_percent: -40 }))).toBe("Wrong, stopped trading")
  })
})

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

describe("the moment in a video", () => {
  it("is shown as a player shows it", () => {
    expect([5, 83, 3723].map(formatTimecode)).toEqual(["0:05", "1:23", "1:02:03"])
  })
})
