import { describe, expect, it } from "vitest"
import {
  commandFor,
  correctionOf,
  describeDone,
  describeProgress,
  describeReview,
  describeSample,
  neighbour,
  requestFor,
  undoRequest,
  withoutMention,
} from "../../src/review/reviews"
import { aMention, aReviewedMention, aStatement } from "../builders"

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

  it("that names a part of the statement corrects that", () => {
    const said = { act: "bought", speaker: "guest", sponsored: false } as const

    expect(requestFor(said, aMention("AAPL"), "")).toEqual({ review: "corrected", ...said, version: 0 })
  })

  it("starts from what was read, or from its kind", () => {
    const statement = aStatement({ act: "keeps", speaker: "other", sponsored: true, conviction: 3 })

    expect(correctionOf(aReviewedMention("AAPL", { statement }))).toEqual({
      act: "keeps",
      speaker: "other",
      sponsored: true,
    })
    expect(correctionOf(aReviewedMention("AAPL", { sentiment: "sell" })).act).toBe("advises_against")
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

    const review = { note: "only a rumour", act: null, speaker: null, sponsored: null, blind: true }

    expect(undoRequest(before, review, { review_version: 5 })).toEqual({
      review: "corrected",
      sentiment: "hold",
      note: "only a rumour",
      blind: true,
      version: 5,
    })
  })
})

describe("undoing a change of a corrected statement", () => {
  it("brings back the statement, not only the kind", () => {
    const before = aMention("AAPL", { sentiment: "mentioned", read_as: "buy", review: "corrected" })
    const said = { act: "bought", speaker: "other", sponsored: false } as const

    expect(undoRequest(before, { note: null, blind: false, ...said }, { review_version: 2 })).toEqual({
      review: "corrected",
      ...said,
      blind: false,
      version: 2,
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

describe("the sample", () => {
  it("says how much of it is done", () => {
    expect(describeSample(20, 16)).toBe("Check 20 at random: 4 of 20 done")
    expect(describeSample(7, 0)).toBe("Check 7 at random: 7 of 7 done")
    expect(describeSample(0, 0)).toBe("There is no buy or sell to check yet.")
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
      { items: [item("AAPL"), item("MSFT")], nextToken: "more", remaining: 3, sample: null },
      { items: [item("KO")], nextToken: null, remaining: 3, sample: null },
    ]
    const left = withoutMention(pages, aMention("MSFT").id)

    expect(left.map(({ items }) => items.map(({ mention }) => mention.ticker))).toEqual([["AAPL"], ["KO"]])
    expect(left.map(({ remaining }) => remaining)).toEqual([2, 2])
    expect(withoutMention(pages, "another")[1]?.remaining).toBe(3)
  })
})
