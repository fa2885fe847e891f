import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Quote } from "../src/components/Quote"
import { markMentions } from "../src/record/chart-data"
import { checkedCaveat, describeChecked, describeRemoved, shortFingerprint } from "../src/record/evidence"
import { periodAround, sparkOf } from "../src/record/spark"
import { isBeingRead, stateOf } from "../src/record/video-status"
import { aMention, aVideo } from "./builders"

describe("a quote", () => {
  const address = "https://www.youtube.com/watch?v=abc&t=83s"

  it("links to the second it is said at", () => {
    const shown = renderToStaticMarkup(<Quote text="Buy it." address={address} seconds={83} />)

    expect(shown).toContain('href="https://www.youtube.com/watch?v=abc&amp;t=83s"')
    expect(shown).toContain('aria-label="Watch at 1:23 on YouTube"')
    expect(shown).toContain("1:23")
  })

  it("has no link where the second is not known, and no link that is not one of the web", () => {
    expect(renderToStaticMarkup(<Quote text="Buy it." address={address} />)).not.toContain("<a")
    expect(
      renderToStaticMarkup(<Quote text="Buy it." address="javascript:alert(1)" seconds={83} />),
    ).not.toContain("<a")
  })

  it("is struck through where a person rejected it", () => {
    expect(renderToStaticMarkup(<Quote text="Buy it." isRejected />)).toContain("<s>")
  })
})

describe("checked calls", () => {
  const none = { calls: 87, checked: 0, right: 0, right_rate: null, right_low: null, right_high: null }

  it("are summed up with their interval", () => {
    const checked = {
      calls: 87,
      checked: 34,
      right: 28,
      right_rate: 0.8235,
      right_low: 0.67,
      right_high: 0.92,
    }

    expect(describeChecked(checked, "en")).toBe(
      "34 of the 87 calls the program found were checked by a person, 28 were read rightly (82%, 67% to 92%)",
    )
  })

  it("are said to be none, and nothing is said of a channel without calls", () => {
    expect(describeChecked(none, "en")).toBe(
      "None of the 87 calls the program found has been checked by a person yet",
    )
    expect(describeChecked({ ...none, calls: 0 })).toBe("")
  })

  it("are too few to judge by until there are twenty", () => {
    expect(checkedCaveat(1, "en")).toMatch("Only 1 checked call is scored")
    expect(checkedCaveat(0, "en")).toMatch("No checked call is scored")
    expect(checkedCaveat(20)).toBe("")
  })
})

describe("what cannot be rewritten quietly", () => {
  it("marks a removed video with its day", () => {
    expect(describeRemoved("2026-11-12T08:00:00.000Z", "en-GB")).toBe(
      "Removed from YouTube on 12 Nov 2026; what was said stays in the record",
    )
  })

  it("shortens a fingerprint to what can be compared at a glance", () => {
    expect(shortFingerprint("3fa4c1".padEnd(64, "0"))).toBe("3fa4c1…")
  })

  it("draws no mark for a mention that a person rejected", () => {
    const video = aVideo("2024-01-02")
    const mentions = [aMention("AAPL", { video }), aMention("AAPL", { video, review: "rejected" })]

    expect(markMentions(mentions, [{ date: "2024-01-02", close: 1 }])).toHaveLength(1)
  })
})

describe("a video", () => {
  it("is missing, failed, waiting, being read or read", () => {
    const of = (transcript: string, analysis: string) =>
      stateOf({ transcript_status: transcript, analysis_status: analysis } as Parameters<typeof stateOf>[0])

    expect(of("unavailable", "skipped")).toBe("missing")
    expect(of("failed", "failed")).toBe("failed")
    expect(of("fetched", "failed")).toBe("failed")
    expect(of("pending", "pending")).toBe("waiting")
    expect(of("fetched", "pending")).toBe("reading")
    expect(of("fetched", "completed")).toBe("read")
    expect(isBeingRead({ transcript_status: "fetched", analysis_status: "pending" })).toBe(true)
  })
})

describe("the closes around a call", () => {
  const closes = [
    { date: "2024-01-01", close: 10 },
    { date: "2024-01-03", close: 20 },
    { date: "2024-01-05", close: 15 },
  ]

  it("are a line with the call on the last close before it", () => {
    const { path, mark } = sparkOf(closes, "2024-01-04", 100, 40)

    expect(path).toBe("M0 40L50 0L100 20")
    expect(mark).toEqual({ x: 50, y: 0, close: closes[1] })
  })

  it("have no mark before the first close, and lie in the middle where the price did not move", () => {
    expect(sparkOf(closes, "2023-12-31", 100, 40).mark).toBeNull()
    expect(sparkOf(closes.slice(0, 1), "2024-01-01", 100, 40).mark?.y).toBe(20)
    expect(sparkOf([], "2024-01-01", 100, 40)).toEqual({ path: "", mark: null })
  })

  it("end today at the latest", () => {
    expect(periodAround("2024-06-01", "2024-06-20")).toEqual({ start: "2024-04-02", end: "2024-06-20" })
    expect(periodAround("2022-06-01", "2024-06-20").end).toBe("2022-09-19")
  })
})
