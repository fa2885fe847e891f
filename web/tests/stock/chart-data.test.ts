import { describe, expect, it } from "vitest"
import { lastUntil } from "../../src/charts/last-until"
import {
  firstDayOf,
  historyPeriod,
  markCalls,
  markMentions,
  rangesFor,
  tradesOf,
} from "../../src/stock/chart-data"
import { aCall, aChannel, aMention, aVideo } from "../builders"

describe("the period of a chart", () => {
  it("begins some weeks before the first mention and ends today", () => {
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

  it("stand on the mention's own day, or on the last trading day before it", () => {
    const marked = markMentions([on("2024-01-08"), on("2024-01-07"), on("2024-01-05")], closes)

    expect(marked.map(({ day }) => day)).toEqual(["2024-01-05", "2024-01-05", "2024-01-08"])
  })

  it("leave out a mention before the first price", () => {
    expect(markMentions([on("2024-01-03")], closes)).toEqual([])
    expect(markMentions([on("2024-01-03")], [])).toEqual([])
  })
})

describe("the calls in a chart", () => {
  const closes = ["2024-01-04", "2024-01-05", "2024-01-08", "2024-01-09"].map((date, index) => ({
    date,
    close: 10 + index,
  }))

  it("are marked with the name of the channel that made them", () => {
    const call = { ...aCall({ published_at: "2024-01-06" }), channel: aChannel("Market Talk (demo)") }

    expect(markCalls([call], closes)).toMatchObject([
      { day: "2024-01-05", kind: "buy", title: "Market Talk" },
    ])
  })

  it("run from entry to exit at the chart's own closes, in the tone of the outcome", () => {
    const call = aCall({
      sentiment: "sell",
      entry_date: "2024-01-05",
      entry_price: 999,
      exit_date: "2024-01-08",
      excess_percent: -3,
    })

    expect(tradesOf([call], closes)).toEqual([{ from: closes[1], to: closes[2], tone: "down" }])
  })

  it("run to the last close while they are pending, and are left out without an entry", () => {
    const pending = aCall({
      status: "pending",
      entry_date: "2024-01-08",
      exit_date: null,
      excess_percent: null,
    })
    const unpriced = aCall({ status: "unpriced", entry_date: null, exit_date: null, excess_percent: null })

    expect(tradesOf([pending, unpriced], closes)).toEqual([{ from: closes[2], to: closes[3], tone: "flat" }])
  })

  it("find the last entry until a day", () => {
    expect(lastUntil(closes, "2024-01-07")?.date).toBe("2024-01-05")
    expect(lastUntil(closes, "2024-01-03")).toBeNull()
  })
})

describe("the ranges of a chart", () => {
  const closes = ["2022-01-03", "2022-06-30", "2022-11-28", "2022-12-28"].map((date) => ({ date, close: 1 }))

  it("are those shorter than the history, and all of it", () => {
    expect(rangesFor(closes)).toEqual(["1M", "6M", "All"])
    expect(rangesFor(closes.slice(-1))).toEqual(["All"])
    expect(rangesFor([])).toEqual(["All"])
  })

  it("end with the last close, whatever today is", () => {
    expect(firstDayOf("1M", closes)).toBe("2022-11-28")
    expect(firstDayOf("6M", closes)).toBe("2022-06-28")
    expect(firstDayOf("All", closes)).toBe("2022-01-03")
  })
})
