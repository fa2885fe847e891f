import { describe, expect, it } from "vitest"
import {
  commandFor,
  describeDone,
  describeProgress,
  describeReview,
  neighbour,
  requestFor,
  undoRequest,
  withoutMention,
} from "../../src/review/reviews"
import { aMention, aReviewedMention } from "../builders"

const key = (pressed: string, modifiers = {}) =>
  commandFor({ key: pressed, ctrlKey: false, metaKey: false, altKey: false, ...modifiers })

describe("an answer", () => {
  it("that differs from the reading corrects it, and names the version it was given on", () => {
    const mention = aMention("AAPL", { sentiment: "buy", review_version: 3 })

    expect(requestFor("sell", mention, "  sold it ")).toEqual({
      review: "corrected",
      sentiment: "sell",
      note: "sold it",
      version: 3,
    })
  })

  it("that is the reading confirms it, also where a person had corrected it", () => {
    const corrected = aMention("AAPL", {
      sentiment: "hold",
      read_as: "buy",
      review: "corrected",
      review_version: 1,
    })

    expect(requestFor("buy", aMention("AAPL"), "")).toEqual({ review: "confirmed", version: 0 })
    expect(requestFor("buy", corrected, "")).toEqual({ review: "confirmed", version: 1 })
  })

  it("that it is about something else rejects it", () => {
    expect(requestFor("rejected", aMention("ALL"), "")).toEqual({ review: "rejected", version: 0 })
  })
})

describe("undoing a review", () => {
  it("withdraws it where there was none", () => {
    const after = { review_version: 1 }

    expect(undoRequest(aMention("AAPL"), null, after)).toEqual({ review: null, version: 1 })
  })

  it("brings back the review before, with its note", () => {
    const before = aMention("AAPL", { sentiment: "hold", read_as: "buy", review: "corrected" })

    expect(undoRequest(before, { note: "only a rumour" }, { review_version: 5 })).toEqual({
      review: "corrected",
      sentiment: "hold",
      note: "only a rumour",
      version: 5,
    })
  })
})

describe("a reviewed call", () => {
  it("says what a person found", () => {
    expect(describeReview("confirmed", null)).toBe("Confirmed by a person")
    expect(describeReview("corrected", "buy")).toBe("Corrected: was read as a buy")
    expect(describeReview("corrected", "mentioned")).toBe("Corrected: was read as only mentioned")
    expect(describeReview("rejected", null)).toBe("Rejected: counts nowhere")
  })

  it("is reported in a notice", () => {
    expect(describeDone(aMention("AAPL", { review: "corrected", sentiment: "sell" }))).toBe(
      "AAPL corrected to a sell",
    )
    expect(describeDone(aMention("AAPL", { review: null }))).toBe("Review of AAPL withdrawn")
  })
})

describe("the queue", () => {
  it("is gone through by keys, unless a modifier is held", () => {
    expect(["1", "2", "3", "4", "x", "X", "Enter", "j", "k", "u", "n", "?"].map((each) => key(each))).toEqual(
      [
        "buy",
        "hold",
        "sell",
        "mentioned",
        "rejected",
        "rejected",
        "confirmed",
        "next",
        "previous",
        "undo",
        "note",
        "help",
      ],
    )
    expect(key("n", { ctrlKey: true })).toBeNull()
    expect(key("5")).toBeNull()
    expect(key("Escape")).toBeNull()
  })

  it("ends at its ends", () => {
    expect(neighbour(["a", "b"], "b", 1)).toBe("b")
    expect(neighbour(["a", "b"], "a", -1)).toBe("a")
    expect(neighbour(["a", "b"], "a", 1)).toBe("b")
    expect(neighbour([], undefined, 1)).toBeUndefined()
  })

  it("tells how far one is", () => {
    expect(describeProgress(12, 1031, "en")).toBe("12 reviewed now, 1,031 left")
  })

  it("loses what was reviewed from whichever page it is on", () => {
    const item = (ticker: string) => ({
      mention: aReviewedMention(ticker),
      name: null,
      reason: "doubtful" as const,
      excess_percent: null,
    })
    const pages = [
      { items: [item("AAPL"), item("MSFT")], nextToken: "more", remaining: 3 },
      { items: [item("KO")], nextToken: null, remaining: 3 },
    ]
    const left = withoutMention(pages, aMention("MSFT").id)

    expect(left.map(({ items }) => items.map(({ mention }) => mention.ticker))).toEqual([["AAPL"], ["KO"]])
    expect(left.map(({ remaining }) => remaining)).toEqual([2, 2])
    expect(withoutMention(pages, "another")[1]?.remaining).toBe(3)
  })
})
