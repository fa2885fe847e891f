import { describe, expect, it } from "vitest"
import {
  formatChange,
  formatPrice,
  formatRoundCount,
  formatShare,
  formatShareRange,
  formatTimecode,
} from "../../src/text/numbers"

describe("the timecode in a video", () => {
  it("is shown as a player shows it", () => {
    expect([5, 83, 3723].map(formatTimecode)).toEqual(["0:05", "1:23", "1:02:03"])
  })
})

describe("numbers", () => {
  it("are written in the reader's locale", () => {
    expect(formatPrice(1234.5, "en-US")).toBe("$1,234.50")
    expect(formatPrice(1234.5, "de-DE")).toBe("1.234,50\u00a0$")
    expect(formatShare(0.426, "en-US")).toBe("43%")
    expect(formatShareRange([0.749, 0.951], "en-US")).toBe("75–95%")
  })

  it("carry their sign when they are changes", () => {
    expect(formatChange(12.345, "en-US")).toBe("+12.3%")
    expect(formatChange(-0.5, "en-US")).toBe("-0.5%")
    expect(formatChange(0, "en-US")).toBe("0.0%")
    expect(formatChange(12.345, "de-DE")).toBe("+12,3\u00a0%")
  })

  it("are rounded to two digits when they are large estimates", () => {
    const counts = [950, 834_567, 999_999, 1_240_000, 56_700_000]

    expect(counts.map((count) => formatRoundCount(count, "en-US"))).toEqual([
      "950",
      "830,000",
      "1 million",
      "1.2 million",
      "57 million",
    ])
  })

  it("are a dash when they are unknown", () => {
    expect([formatPrice(null), formatChange(null), formatShare(null)]).toEqual(["–", "–", "–"])
  })
})
