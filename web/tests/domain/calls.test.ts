import { describe, expect, it } from "vitest"
import { describeOutcome, outcomeOf, toneOf } from "../../src/domain/calls"
import { aCall } from "../builders"

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

  it("is unknown where the share had left the exchange", () => {
    const dead = aCall({ status: "unpriced", excess_percent: null, unpriced_reason: "departed" })

    expect(describeOutcome(dead)).toBe("No price: left the exchange")
  })

  it("is marked where the stock stopped trading", () => {
    expect(describeOutcome(aCall({ status: "ended", excess_percent: -40 }))).toBe("Wrong, stopped trading")
  })
})
