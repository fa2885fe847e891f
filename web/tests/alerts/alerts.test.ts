import { describe, expect, it } from "vitest"
import {
  alertTitle,
  describeMatured,
  describeReversal,
  describeVerdictChange,
  secondIn,
} from "../../src/alerts/alerts"

describe("an alert", () => {
  const call = {
    ticker: "NVDA",
    sentiment: "sell" as const,
    before: "buy" as const,
    is_reversal: true,
    quote: null,
    quote_url: "https://www.youtube.com/watch?v=abc",
  }

  it("counts calls and reversals", () => {
    const details = [call, { ...call, ticker: "AMD", is_reversal: false }]

    expect(alertTitle({ kind: "calls", details }, "en")).toBe("2 new calls, 1 reversal")
    expect(describeReversal(call)).toBe("Reversal: said buy before")
  })

  it("finds the second of a quote", () => {
    expect(secondIn("https://www.youtube.com/watch?v=abc&t=83s")).toBe(83)
    expect(secondIn("https://www.youtube.com/watch?v=abc&t=83")).toBe(83)
    expect(secondIn("https://www.youtube.com/watch?v=abc")).toBeNull()
  })

  it("tells of verdicts and matured calls in words", () => {
    const turned = { horizon: "3m", verdict: "beats_market", before: "not_proven" } as const
    expect(describeVerdictChange({ ...turned, by_review: false })).toBe(
      "Over three months: Beats the market. Before: Not proven.",
    )
    expect(describeVerdictChange({ ...turned, by_review: true })).toBe(
      "Over three months: Beats the market. Before: Not proven. Reviews of how its calls were read turned it, not the market.",
    )
    const matured = { ticker: "AMD", sentiment: "buy" as const, horizon: "1y" as const, video_id: "v" }
    expect(describeMatured({ ...matured, excess_percent: -4.25 }, "en")).toBe(
      "After one year: -4.3% against the market",
    )
    expect(describeMatured({ ...matured, excess_percent: null })).toBe("After one year: no price")
  })
})
