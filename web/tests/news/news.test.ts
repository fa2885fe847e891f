import { describe, expect, it } from "vitest"
import type { News } from "../../src/api/types"
import {
  describePeriod,
  describeTones,
  mergeLists,
  newsAddress,
  newsFilterIn,
  nextOf,
  weekBefore,
} from "../../src/news/news"
import { describeFollowsNews } from "../../src/score/robustness"

const none = { positive: 0, neutral: 0, negative: 0 }

function aStory(timestamp: string, changes: Partial<News> = {}): News {
  return {
    source_id: `rss#${timestamp}`,
    timestamp,
    source_type: "rss",
    source_url: "https://example.com/story",
    title: `Story of ${timestamp}`,
    text_snippet: "",
    tags: ["AAPL"],
    sentiment: "positive",
    score: 0.9,
    model_version: "v1.0.0",
    status: "analyzed",
    metadata: { title: null, author: null, published_at: null, source_name: "The Paper" },
    ...changes,
  }
}

describe("the headlines before a call", () => {
  it("are counted in words, the most frequent tone first", () => {
    expect(describeTones({ ...none, negative: 3 })).toBe("3 negative headlines")
    expect(describeTones({ ...none, positive: 1 })).toBe("1 positive headline")
    expect(describeTones({ positive: 1, neutral: 0, negative: 2 })).toBe(
      "3 headlines (2 negative, 1 positive)",
    )
    expect(describeTones({ positive: 1, neutral: 1, negative: 3 })).toBe(
      "5 headlines (3 negative, 1 positive, 1 neutral)",
    )
    expect(describeTones(none)).toBe("")
  })

  it("are those of seven days until the video, or until its day where the time is unknown", () => {
    expect(weekBefore({ published_at: "2022-03-15", published_time: null })).toEqual({
      since: "2022-03-08",
      before: "2022-03-15",
    })
    expect(weekBefore({ published_at: "2022-03-15", published_time: "2022-03-15T14:00:00.000Z" })).toEqual({
      since: "2022-03-08T14:00:00.000Z",
      before: "2022-03-15T14:00:00.000Z",
    })
  })

  it("are distinguished from no news", () => {
    expect(describeFollowsNews(null)).toContain("No news for this period")
    expect(describeFollowsNews(0.6)).toMatch(/^Most of its calls .*: it repeats/)
    expect(describeFollowsNews(0.25)).toContain("Some of its calls")
    expect(describeFollowsNews(0)).toMatch(/^None of its calls .*: it does not repeat/)
  })
})

describe("the address of a list of news", () => {
  it("holds its filter, and gives it back", () => {
    const filter = { ticker: "BRK.B", tone: "negative", since: "2022-03-08", before: "2022-03-15" } as const

    const address = newsAddress(filter)

    expect(address).toBe("/news?ticker=BRK.B&tone=negative&since=2022-03-08&before=2022-03-15")
    expect(newsFilterIn(new URLSearchParams(address.slice(6)))).toEqual(filter)
    expect(newsAddress({ ticker: null })).toBe("/news")
  })

  it("counts what cannot be read as not given", () => {
    const nothing = { ticker: null, tone: null, since: null, before: null }
    for (const search of [
      "ticker=%3Cscript%3E&tone=furious&since=yesterday&before=2022-02-31T",
      "since=2022-03-15&before=2022-03-15",
      "since=2022-03-16&before=2022-03-15",
      "since=5",
      `ticker=${"A".repeat(17)}`,
    ]) {
      expect(newsFilterIn(new URLSearchParams(search))).toEqual(nothing)
    }
    expect(newsFilterIn(new URLSearchParams("ticker= aapl ")).ticker).toBe("AAPL")
  })

  it("tells its period in words", () => {
    const says = (since: string | null, before: string | null) => describePeriod({ since, before }, "en-US")
    expect(says("2022-03-08", "2022-03-15")).toBe("From Mar 8, 2022 to Mar 14, 2022")
    expect(says("2022-03-08", "2022-03-09")).toBe("Mar 8, 2022")
    expect(says("2022-03-08", null)).toBe("From Mar 8, 2022")
    expect(says(null, "2022-03-15")).toBe("To Mar 14, 2022")
    expect(says(null, null)).toBe("")
  })
})

describe("lists of each tone", () => {
  const list = (nextToken: string | null, ...timestamps: string[]) => ({
    items: timestamps.map((timestamp) => aStory(timestamp)),
    nextToken,
  })
  const timestamps = (items: readonly News[]) => items.map(({ timestamp }) => timestamp)

  it("become one, newest first, as far as all of them were read", () => {
    const first = { lists: { positive: list("more", "9", "6"), negative: list(null, "8", "3") } }
    const second = { lists: { positive: list(null, "5", "2") } }

    expect(timestamps(mergeLists([first]))).toEqual(["9", "8", "6"])
    expect(timestamps(mergeLists([first, second]))).toEqual(["9", "8", "6", "5", "3", "2"])
    expect(mergeLists([])).toEqual([])
  })

  it("go on where any of them does", () => {
    expect(nextOf({ lists: { positive: list("more"), negative: list(null) } })).toEqual({ positive: "more" })
    expect(nextOf({ lists: { positive: list(null) } })).toBeUndefined()
  })

  it("show a story once that two pages tell of", () => {
    const page = { lists: { positive: list("more", "9", "8") } }
    const shifted = { lists: { positive: list(null, "8", "7") } }

    expect(timestamps(mergeLists([page, shifted]))).toEqual(["9", "8", "7"])
  })
})
