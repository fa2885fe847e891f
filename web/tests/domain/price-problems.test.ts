import { describe, expect, it } from "vitest"
import { newestPriceDay, olderPriceDay, PROBLEM_LABELS } from "../../src/domain/price-problems"
import { aStock } from "../builders"

describe("prices", () => {
  const traded = aStock("AAPL", { price_as_of: "2026-11-13" })
  const halted = aStock("HALT", { price_as_of: "2026-07-12" })
  const unknown = aStock("NONE", { price_as_of: null })

  it("show their day where others are newer", () => {
    const newest = newestPriceDay([unknown, halted, traded])

    expect(newest).toBe("2026-11-13")
    expect([traded, halted, unknown].map((stock) => olderPriceDay(stock, newest))).toEqual([
      null,
      "2026-07-12",
      null,
    ])
  })

  it("that nobody has leave no newest day", () => {
    expect(newestPriceDay([unknown])).toBe("")
    expect(newestPriceDay([])).toBe("")
  })

  it("that are missing say why in two or three words", () => {
    expect(PROBLEM_LABELS.awaiting_close).toBe("Awaits the close")
    expect(Object.values(PROBLEM_LABELS).every((label) => label.split(" ").length <= 3)).toBe(true)
  })
})
