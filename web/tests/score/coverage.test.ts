import { describe, expect, it } from "vitest"
import type { Setup } from "../../src/api/types"
import { describeCoverage, describeSources, isReadByRules, readingNote } from "../../src/score/coverage"
import { aRecord } from "../builders"

describe("the reading note", () => {
  it("says how many of the reported calls are right, and how many of those made are found", () => {
    expect(readingNote({ right: 0.76, found: 0.167 })).toBe(
      "About 8 in 10 reported calls are read correctly; about 1 in 6 of the calls made is found, measured on other speakers' videos.",
    )
    expect(readingNote({ right: 0.966, found: 0.731 })).toMatch(
      /^About 19 in 20 .*; about 7 in 10 of the calls made are found/,
    )
    expect(readingNote({ right: 0.8, found: null })).not.toContain("found")
  })

  it("names the sample of reviews that it comes from", () => {
    expect(readingNote({ right: 0.9, found: 0.167, source: "reviews" })).toBe(
      "About 9 in 10 reported calls are read correctly, by a random sample that people have checked; about 1 in 6 of the calls made is found.",
    )
  })

  it("says so when it has not been measured", () => {
    expect(readingNote({ right: null, found: null })).toContain("has not been measured")
  })

  it("is followed by an offer where rules have read", () => {
    expect(isReadByRules(["bedrock 2.0", "rules 4.0"])).toBe(true)
    expect(isReadByRules(["bedrock 2.0"])).toBe(false)
  })
})

describe("the sources", () => {
  it("are those of the server, by their names", () => {
    const demo = { videos: "demo", prices: "demo", analyst: "recorded" } as Setup
    const rules = { videos: "youtube", prices: "yahoo", analyst: "rules" } as Setup
    const live = { videos: "youtube", prices: "tiingo", analyst: "bedrock" } as Setup

    expect(describeSources(demo).join(" ")).toMatch(
      /demo’s, and fictional.*come with the demo.*responses, which are replayed.*read by rules/,
    )
    expect(describeSources(rules).join(" ")).toMatch(/Yahoo Finance.*without a language model/)
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
