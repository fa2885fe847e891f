import { describe, expect, it } from "vitest"
import type { Setup } from "../../src/api/types"
import { describeCoverage, describeSources, readingNote } from "../../src/score/coverage"
import { aRecord } from "../builders"

describe("the reading note", () => {
  it("says of ten calls how many are read correctly, and does not round up a half", () => {
    expect(readingNote(0.75)).toContain("About 7 of 10 calls are read correctly")
    expect(readingNote(0.79)).toContain("About 7 of 10 calls")
  })

  it("says so when it has not been measured, and nothing before that is known", () => {
    expect(readingNote(null)).toContain("has not been measured")
    expect(readingNote(undefined)).toBe("")
  })
})

describe("the sources", () => {
  it("are those of the server, by their names", () => {
    const demo = { videos: "demo", prices: "demo", analyst: "rules" } as Setup
    const live = { videos: "youtube", prices: "tiingo", analyst: "bedrock" } as Setup

    expect(describeSources(demo).join(" ")).toMatch(
      /demo’s, and fictional.*come with the demo.*without a language model/,
    )
    expect(describeSources(live).join(" ")).toMatch(/YouTube.*closes from Tiingo.*language model \(bedrock\)/)
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
