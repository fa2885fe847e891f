import { describe, expect, it } from "vitest"
import { ApiError, describeError, errorMessage, existingChannelId, isTransient } from "../src/api/errors"
import { addDays, addMonths, formatDay, formatNewYorkTime, formatSecond, formatTick } from "../src/text/dates"
import { isDemo, withoutDemoSuffix } from "../src/text/demo"
import { webAddress } from "../src/text/links"
import { formatChange, formatPrice, formatShare, formatShareRange } from "../src/text/numbers"

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

  it("are a dash when they are unknown", () => {
    expect([formatPrice(null), formatChange(null), formatShare(null)]).toEqual(["–", "–", "–"])
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

describe("links", () => {
  it("lead to web pages only", () => {
    expect(webAddress("https://www.youtube.com/watch?v=x")).toBe("https://www.youtube.com/watch?v=x")
    for (const address of ["javascript:alert(1)", "data:text/html,x", "//host", "", null]) {
      expect(webAddress(address)).toBeUndefined()
    }
  })
})

describe("the demo", () => {
  it("is recognised by its channels' names, and by their URLs before the names are known", () => {
    expect(isDemo({ name: "Market Talk (demo)", url: "https://x" })).toBe(true)
    expect(isDemo({ name: "DemoMarketTalk", url: "https://www.youtube.com/@DemoMarketTalk" })).toBe(true)
    expect(isDemo({ name: "Democracy", url: "https://www.youtube.com/@Democracy" })).toBe(false)
    expect(withoutDemoSuffix("Market Talk (demo)")).toBe("Market Talk")
  })
})

describe("errors", () => {
  it("are shown in the API's own words where it has some", () => {
    expect(errorMessage(400, { detail: "Channel already exists" })).toBe("Channel already exists")
    expect(errorMessage(422, { detail: [{ msg: "Value error, Give the URL of a channel" }] })).toBe(
      "Give the URL of a channel",
    )
    expect(errorMessage(500, { detail: "Internal Server Error" })).toContain("went wrong on the server (500)")
    expect(errorMessage(418, undefined)).toContain("rejected the request (418)")
  })

  it("are transient when the server or the network failed, not when the request was wrong", () => {
    expect(isTransient(new TypeError("Failed to fetch"))).toBe(true)
    expect(isTransient(new ApiError(503, ""))).toBe(true)
    expect(isTransient(new ApiError(404, ""))).toBe(false)
    expect(describeError(new TypeError("Failed to fetch"))).toBe("Can’t reach the server.")
  })

  it("name the channel that exists already", () => {
    expect(existingChannelId(new ApiError(400, "Channel already exists", "/api/channels/abc"))).toBe("abc")
    expect(existingChannelId(new ApiError(400, "Channel already exists"))).toBeNull()
    expect(existingChannelId(new ApiError(400, "", "https://evil.example/api/channels/abc"))).toBeNull()
    expect(existingChannelId(null)).toBeNull()
  })
})
