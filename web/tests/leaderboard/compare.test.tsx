import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { Router } from "wouter"
import { failuresOf } from "../../src/api/load-error"
import { type Compared, CompareTable } from "../../src/leaderboard/CompareTable"
import { entryOf } from "../../src/leaderboard/compare"
import { aChannel, anEntry, aScore } from "../builders"

function shown(entry: Compared["entry"]): string {
  const compared = [{ channel: aChannel("One"), figures: aScore(), entry }]
  return renderToStaticMarkup(
    <Router ssrPath="/compare">
      <CompareTable compared={compared} horizon="3m" />
    </Router>,
  )
}

describe("a channel without a place in the leaderboard", () => {
  it("is said to have none, and is not loading for ever", () => {
    expect(shown(null)).toContain("Not on the leaderboard yet")
    expect(shown(null)).not.toContain("Loading")
  })

  it("is loading only until the leaderboard is read", () => {
    expect(shown(undefined)).toContain("Loading")
    expect(shown(undefined)).not.toContain("Not on the leaderboard yet")
  })

  it("is known to have none without a score, as its place is then not looked for", () => {
    expect(entryOf({ computed_at: null }, undefined)).toBeNull()
    expect(entryOf({ computed_at: "2024-01-01T00:00:00.000Z" }, undefined)).toBeUndefined()
    expect(entryOf({ computed_at: "2024-01-01T00:00:00.000Z" }, null)).toBeNull()
    expect(entryOf(undefined, undefined)).toBeUndefined()
  })
})

describe("a verdict", () => {
  it("says so where nobody has checked a sample of the calls behind it", () => {
    expect(shown(anEntry())).toContain("(unchecked)")
    expect(shown(anEntry({ right_source: "reviews" }))).not.toContain("(unchecked)")
  })
})

describe("several queries", () => {
  it("fail where one has nothing to show, not where it could only not be refreshed", () => {
    const error = new Error("Unreachable")
    const failed = { data: undefined, error }

    expect(failuresOf([{ data: 1, error: null }, { data: null, error }, failed])).toEqual([failed])
    expect(failuresOf([{ data: undefined, error: null }])).toEqual([])
  })
})
