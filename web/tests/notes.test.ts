import { describe, expect, it } from "vitest"
import { shareInterval } from "../src/record/change"
import {
  confidenceNote,
  describeCoverage,
  isSmallSample,
  methodNotes,
  readingNote,
} from "../src/record/notes"
import { aRecord } from "./builders"

describe("the confidence note", () => {
  it("gives the range of the true hit rate", () => {
    expect(confidenceNote({ calls: 45, priced: 42, hits: 37 }, "en")).toContain(
      "With 42 priced buy calls, the true hit rate is probably 75–95%",
    )
  })

  it("has no rate without a priced call", () => {
    expect(confidenceNote({ calls: 3, priced: 0, hits: 0 }, "en")).toContain("there is no hit rate")
  })

  it("takes nine priced calls for a small sample, ten not", () => {
    expect(isSmallSample({ priced: 9 })).toBe(true)
    expect(isSmallSample({ priced: 10 })).toBe(false)
  })
})

describe("the reading note", () => {
  it("says of ten calls how many are read rightly, and does not round up a half", () => {
    expect(readingNote(0.75)).toContain("About 7 of 10 calls are read rightly")
    expect(readingNote(0.79)).toContain("About 7 of 10 calls")
  })

  it("says so when it has not been measured, and nothing before that is known", () => {
    expect(readingNote(null)).toContain("has not been measured")
    expect(readingNote(undefined)).toBe("")
  })
})

describe("the method notes", () => {
  it("name the day of the latest price where it is known", () => {
    const record = aRecord({ unpriced: 3 }, { prices_as_of: "2022-12-28T23:59:59.999Z" })
    const notes = methodNotes(record, { demo: true, locale: "en-GB" }).join(" ")

    expect(notes).toContain("the latest price (28 Dec 2022)")
    expect(notes).toContain("adjusted for splits and dividends")
    expect(notes).toContain("3 calls excluded (no price)")
  })

  it("say of live prices that dividends are not included", () => {
    const notes = methodNotes(aRecord(), { demo: false, locale: "en" }).join(" ")

    expect(notes).toContain("to the latest price.")
    expect(notes).toContain("Dividends are not included")
    expect(notes).not.toContain("excluded")
  })
})

describe("the coverage", () => {
  it("tells what was read and what is missing", () => {
    const { coverage } = aRecord({ videos: 47, read: 14, without_transcript: 3, unpriced: 9 })

    expect(describeCoverage(coverage, "en")).toBe(
      "14 of 47 videos read, 3 without transcript, 9 calls unpriced",
    )
  })

  it("names only what there is", () => {
    expect(describeCoverage(aRecord({ videos: 1, read: 1 }).coverage, "en")).toBe("1 of 1 video read")
    expect(describeCoverage(aRecord({ videos: 2, failed: 1, unpriced: 1 }).coverage, "en")).toBe(
      "0 of 2 videos read, 1 failed, 1 call unpriced",
    )
  })
})

describe("Wilson's interval", () => {
  it("is that of a share", () => {
    const [low, high] = shareInterval(8, 10) ?? []

    expect(low).toBeCloseTo(0.4902, 4)
    expect(high).toBeCloseTo(0.9433, 4)
    expect(shareInterval(0, 5)?.[0]).toBe(0)
    expect(shareInterval(5, 5)?.[1]).toBe(1)
    expect(shareInterval(0, 0)).toBeNull()
  })
})
