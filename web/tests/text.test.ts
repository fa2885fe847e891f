import { describe, expect, it } from "vitest"
import { ApiProblem, explain, isPassing, sentenceOf } from "../src/api/problems"
import { addDays, addYears, formatDay } from "../src/text/dates"
import { isDemo, withoutDemo } from "../src/text/demo"
import { webAddress } from "../src/text/links"
import { formatChange, formatPrice, formatShare } from "../src/text/numbers"

describe("numbers", () => {
  it("are written in the reader's locale", () => {
    expect(formatPrice(1234.5, "en-US")).toBe("$1,234.50")
    expect(formatPrice(1234.5, "de-DE")).toBe("1.234,50\u00a0$")
    expect(formatShare(0.426, "en-US")).toBe("43%")
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
    expect(addYears("2024-02-29", 1)).toBe("2025-02-28")
    expect(formatDay("nonsense")).toBe("–")
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
  it("is known by the names of its channels, and by their addresses before those have come", () => {
    expect(isDemo({ name: "Market Talk (demo)", url: "https://x" })).toBe(true)
    expect(isDemo({ name: "DemoMarketTalk", url: "https://www.youtube.com/@DemoMarketTalk" })).toBe(true)
    expect(isDemo({ name: "Democracy", url: "https://www.youtube.com/@Democracy" })).toBe(false)
    expect(withoutDemo("Market Talk (demo)")).toBe("Market Talk")
  })
})

describe("problems", () => {
  it("are told in the API's own words where it has some", () => {
    expect(sentenceOf(400, { detail: "Channel already exists" })).toBe("Channel already exists")
    expect(sentenceOf(422, { detail: [{ msg: "Value error, Give the URL of a channel" }] })).toBe(
      "Give the URL of a channel",
    )
    expect(sentenceOf(500, { detail: "Internal Server Error" })).toContain("had a problem (500)")
    expect(sentenceOf(418, undefined)).toContain("refused the request (418)")
  })

  it("may pass when the server or the network failed, not when the request was wrong", () => {
    expect(isPassing(new TypeError("Failed to fetch"))).toBe(true)
    expect(isPassing(new ApiProblem(503, ""))).toBe(true)
    expect(isPassing(new ApiProblem(404, ""))).toBe(false)
    expect(explain(new TypeError("Failed to fetch"))).toContain("could not be reached")
  })
})
