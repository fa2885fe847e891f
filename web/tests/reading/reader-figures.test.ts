import { describe, expect, it } from "vitest"
import { describeCounts, formatMeasuredAt, readerLabel } from "../../src/reading/reader-figures"

describe("the figures of a reader", () => {
  it("are counts with their share", () => {
    expect(describeCounts(57, 78, "en")).toBe("57 of 78 (73%)")
  })

  it("are a dash where there was nothing to count", () => {
    expect(describeCounts(0, 0, "en")).toBe("–")
  })

  it("are dated by the month or the day", () => {
    expect(formatMeasuredAt("2026-11", "en")).toBe("November 2026")
    expect(formatMeasuredAt("2026-11-03", "en")).toBe("Nov 3, 2026")
  })

  it("name the reader, an unknown one as the API does", () => {
    expect(readerLabel("rules")).toBe("Rules")
    expect(readerLabel("another")).toBe("another")
  })
})
