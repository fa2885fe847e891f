import { describe, expect, it } from "vitest"
import { formatDistance, formatDuration, millisecondsBetween } from "../../src/text/durations"

const NOW = Date.parse("2026-03-01T12:00:00Z")

describe("durations", () => {
  it("use the two largest units", () => {
    const told = [400, 12_300, 60_000, 185_000, 3_600_000, 7_800_000, 100_800_000].map((each) =>
      formatDuration(each, "en"),
    )

    expect(told).toEqual(["0.4 s", "12 s", "1 min", "3 min 5 s", "1 h", "2 h 10 min", "1 d 4 h"])
  })

  it("never round up to a unit that is full", () => {
    expect(formatDuration(59_700, "en")).toBe("1 min")
    expect(formatDuration(3_599_900, "en")).toBe("1 h")
    expect(formatDuration(960, "en")).toBe("1 s")
  })

  it("are never negative, whatever the clocks say", () => {
    expect(millisecondsBetween("2026-03-01T12:00:01Z", "2026-03-01T12:00:00Z")).toBe(0)
    expect(millisecondsBetween("2026-03-01T11:59:00Z", null, NOW)).toBe(60_000)
  })

  it("relative to now use one unit", () => {
    expect(formatDistance("2026-03-01T17:00:00Z", NOW, "en")).toBe("in 5 hours")
    expect(formatDistance("2026-02-27T12:00:00Z", NOW, "en")).toBe("2 days ago")
    expect(formatDistance("2026-03-01T12:00:20Z", NOW, "en")).toBe("in less than a minute")
  })
})
