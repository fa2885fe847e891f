import { describe, expect, it } from "vitest"
import { historyPeriod, markCalls } from "../src/record/chart-data"
import { firstMentions } from "../src/record/first-mentions"
import { aMention, anEntry, aVideo } from "./builders"

describe("the period of a chart", () => {
  it("begins some weeks before the first call and ends today", () => {
    expect(historyPeriod("2024-03-01", "2024-06-01")).toEqual({ start: "2024-01-01", end: "2024-06-01" })
  })

  it("is never longer than the ten years the API gives", () => {
    expect(historyPeriod("2020-03-10", "2035-01-01")).toEqual({ start: "2020-01-10", end: "2030-01-10" })
  })

  it("never ends before it starts, and survives a leap day", () => {
    expect(historyPeriod("2030-01-01", "2020-01-01").end).toBe("2029-11-02")
    expect(historyPeriod("2024-04-29", "2099-01-01")).toEqual({ start: "2024-02-29", end: "2034-02-28" })
  })
})

describe("the marks of a chart", () => {
  const closes = [
    { date: "2024-01-04", close: 1 },
    { date: "2024-01-05", close: 2 },
    { date: "2024-01-08", close: 3 },
  ]
  const on = (day: string) => aMention("AAPL", { video: aVideo(day) })

  it("stand on the call's own day, or on the last trading day before it", () => {
    const marked = markCalls([on("2024-01-08"), on("2024-01-07"), on("2024-01-05")], closes)

    expect(marked.map(({ day }) => day)).toEqual(["2024-01-05", "2024-01-05", "2024-01-08"])
  })

  it("leave out a call before the first price", () => {
    expect(markCalls([on("2024-01-03")], closes)).toEqual([])
    expect(markCalls([on("2024-01-03")], [])).toEqual([])
  })
})

describe("first mentions", () => {
  it("go by day, then by the video's id, as in the API", () => {
    const later = anEntry("2024-02-01", aMention("AAPL", { sentiment: "sell" }))
    const one = {
      ...anEntry("2024-01-01", aMention("AAPL", { sentiment: "hold" })),
      video: aVideo("2024-01-01", { id: "b" }),
    }
    const other = {
      ...anEntry("2024-01-01", aMention("AAPL", { sentiment: "buy" })),
      video: aVideo("2024-01-01", { id: "a" }),
    }

    expect(firstMentions([later, one, other]).get("AAPL")?.mention.sentiment).toBe("buy")
    expect(firstMentions([later, one, other], "sell").get("AAPL")?.video.published_at).toBe("2024-02-01")
  })
})
