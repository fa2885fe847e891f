import { describe, expect, it } from "vitest"
import { momentOf } from "../../src/news/news"
import {
  addDays,
  addMonths,
  formatDay,
  formatNewYorkTime,
  formatSecond,
  formatTick,
  newYorkMidnight,
} from "../../src/text/dates"

describe("a day in New York", () => {
  it("begins at four or five in UTC, also on the days on which the clocks change", () => {
    expect(newYorkMidnight("2022-01-10")).toBe("2022-01-10T05:00:00.000Z")
    expect(newYorkMidnight("2022-07-10")).toBe("2022-07-10T04:00:00.000Z")
    expect(newYorkMidnight("2022-03-13")).toBe("2022-03-13T05:00:00.000Z")
    expect(newYorkMidnight("2022-11-06")).toBe("2022-11-06T04:00:00.000Z")
    expect(momentOf("2022-07-10T12:00:00Z")).toBe("2022-07-10T12:00:00.000Z")
  })
})

describe("days", () => {
  it("are the same in every time zone", () => {
    expect(formatDay("2022-12-28", "en-GB")).toBe("28 Dec 2022")
  })

  it("are counted over the ends of months and years", () => {
    expect(addDays("2024-03-01", -1)).toBe("2024-02-29")
    expect(addMonths("2024-02-29", 12)).toBe("2025-02-28")
    expect(addMonths("2024-03-31", -1)).toBe("2024-02-29")
    expect(formatDay("nonsense")).toBe("–")
  })

  it("have the time of New York beside them, in winter and summer", () => {
    expect(formatNewYorkTime("2025-01-16T01:30:00.000Z", "en-GB")).toBe("20:30")
    expect(formatNewYorkTime("2025-07-16T00:30:00.000Z", "en-GB")).toBe("20:30")
    expect(formatNewYorkTime("nonsense")).toBe("–")
  })

  it("carry their month on a time axis", () => {
    expect(formatTick("2022-12-27", "day", "en-US")).toBe("Dec 27")
    expect(formatTick("2022-10-03", "month", "en-US")).toBe("Oct")
    expect(formatTick("2022-01-03", "year", "en-US")).toBe("2022")
  })

  it("are part of a log line's time", () => {
    expect(formatSecond("2026-11-16T15:10:48Z", "en-US")).toContain("Nov 16, 2026")
  })
})
