import { describe, expect, it } from "vitest"
import type { Run, Task } from "../src/api/types"
import {
  alertTitle,
  describeMatured,
  describeReversal,
  describeVerdictChange,
  secondIn,
} from "../src/record/alerts"
import { columnsOf, drawPlan } from "../src/record/plan-graph"
import { describeStatuses, tasksFromLinks } from "../src/record/plans"
import {
  describeCheck,
  describeDurations,
  describeProgress,
  describeSlowed,
  durationBars,
  planOf,
  starterOf,
} from "../src/record/runs"
import { isWatched, toggled } from "../src/record/watchlist"
import { formatDistance, formatDuration, millisecondsBetween } from "../src/text/durations"
import { aRun, aTask } from "./builders"

const NOW = Date.parse("2026-03-01T12:00:00Z")

function keysOf(tasks: readonly Task[]): string[][] {
  return columnsOf(tasks).map((column) => column.map(({ key }) => key))
}

describe("durations", () => {
  it("are told in the two units that matter", () => {
    const told = [400, 12_300, 60_000, 185_000, 3_600_000, 7_800_000, 100_800_000].map((each) =>
      formatDuration(each, "en"),
    )

    expect(told).toEqual(["0.4 s", "12 s", "1 min", "3 min 5 s", "1 h", "2 h 10 min", "1 d 4 h"])
  })

  it("never round up to a unit that is full", () => {
    expect(formatDuration(59_700, "en")).toBe("1 min")
    expect(formatDuration(3_599_900, "en")).toBe("1 h")
    expect(formatDuration(960, "en")).toBe("1 s")
  })

  it("are never negative, whatever the clocks say", () => {
    expect(millisecondsBetween("2026-03-01T12:00:01Z", "2026-03-01T12:00:00Z")).toBe(0)
    expect(millisecondsBetween("2026-03-01T11:59:00Z", null, NOW)).toBe(60_000)
  })

  it("from now are told in one unit", () => {
    expect(formatDistance("2026-03-01T17:00:00Z", NOW, "en")).toBe("in 5 hours")
    expect(formatDistance("2026-02-27T12:00:00Z", NOW, "en")).toBe("2 days ago")
    expect(formatDistance("2026-03-01T12:00:20Z", NOW, "en")).toBe("in less than a minute")
  })
})

describe("a run", () => {
  it("tells how far it is and what could not be read", () => {
    const run = aRun({ status: "processing", videos: 40, processed: 35, skipped: 2, failed: 1 })

    expect(describeProgress(run, "en")).toBe("38 of 40 videos, 2 without transcript, 1 failed")
  })

  it("without videos says whether it is looking, found nothing new, or never came to it", () => {
    expect(describeProgress(aRun({ status: "pending", videos: 0 }))).toBe("Finding videos…")
    expect(describeProgress(aRun({ kind: "check", videos: 0 }))).toBe("No new videos")
    expect(describeProgress(aRun({ status: "failed", videos: 0 }))).toBe("No videos")
  })

  it("names who began it", () => {
    expect(starterOf(aRun({ started_by: "clock" }))).toBe("the clock")
    expect(starterOf(aRun({ started_by: "person", starter: "local" }))).toBe("you")
    expect(starterOf(aRun({ started_by: "person", starter: "ada" }))).toBe("ada")
    expect(planOf(aRun({ started_by: "plan", starter: "01PLAN/add-ada" }))).toEqual({
      planId: "01PLAN",
      task: "add-ada",
    })
    expect(planOf(aRun({ started_by: "person", starter: "01PLAN/x" }))).toBeNull()
  })

  it("is a bar in proportion to the longest, oldest first, once it has ended", () => {
    const took = (id: string, seconds: number): Run =>
      aRun({
        id,
        started_at: "2026-03-01T12:00:00Z",
        ended_at: `2026-03-01T12:00:${String(seconds).padStart(2, "0")}Z`,
      })

    const bars = durationBars([aRun({ ended_at: null }), took("c", 40), took("b", 10), took("a", 20)], 2)

    expect(bars.map(({ id, share }) => [id, share])).toEqual([
      ["b", 0.25],
      ["c", 1],
    ])
    expect(describeDurations(bars)).toBe("The last 2 runs took 10 s to 40 s, half of them 10 s or less.")
    expect(describeDurations([...bars, ...bars].filter(({ id }) => id === "c"))).toBe(
      "The last 2 runs took 40 s each.",
    )
    expect(describeDurations([])).toBe("No run has ended yet.")
  })
})

describe("a channel's check", () => {
  it("tells how often and when next", () => {
    expect(describeCheck({ check_every: "daily", next_check_at: "2026-03-01T17:00:00Z" }, NOW)).toBe(
      "Checked daily · next check in 5 hours",
    )
    expect(describeCheck({ check_every: "weekly", next_check_at: "2026-03-01T11:00:00Z" }, NOW)).toBe(
      "Checked weekly · next check is due",
    )
    expect(describeCheck({ check_every: "off", next_check_at: null }, NOW)).toBe("Only with “Run again”")
  })

  it("tells why it is slowed down", () => {
    expect(describeSlowed(5)).toBe("Slowed down: five runs in a row failed")
    expect(describeSlowed(12)).toBe("Slowed down: 12 runs in a row failed")
  })
})

describe("the graph of a plan", () => {
  it("puts a task after the longest way to it", () => {
    const tasks = [
      aTask("end", ["short", "long"]),
      aTask("short"),
      aTask("middle", ["first"]),
      aTask("long", ["middle"]),
      aTask("first"),
    ]

    expect(keysOf(tasks)).toEqual([["short", "first"], ["middle"], ["long"], ["end"]])
  })

  it("keeps tasks beside those they depend on", () => {
    const tasks = [aTask("a"), aTask("b"), aTask("after-b", ["b"]), aTask("after-a", ["a"])]

    expect(keysOf(tasks)[1]).toEqual(["after-a", "after-b"])
  })

  it("takes a chain of 500 and a fan-in of 499", () => {
    const chain = Array.from({ length: 500 }, (_, index) =>
      aTask(`t${index}`, index ? [`t${index - 1}`] : []),
    )
    const many = Array.from({ length: 499 }, (_, index) => aTask(`t${index}`))

    expect(columnsOf(chain)).toHaveLength(500)
    expect(
      columnsOf([
        ...many,
        aTask(
          "end",
          many.map(({ key }) => key),
        ),
      ]).map(({ length }) => length),
    ).toEqual([499, 1])
  })

  it("has a box for each task, a line for each dependency, and room for all", () => {
    const { boxes, lines, width, height } = drawPlan([aTask("a"), aTask("b"), aTask("c", ["a", "b"])])

    expect(boxes).toHaveLength(3)
    expect(lines.map(({ key }) => key)).toEqual(["a c", "b c"])
    for (const { x, y } of boxes) {
      expect(x).toBeLessThan(width)
      expect(y).toBeLessThan(height)
    }
  })

  it("tells its states in words", () => {
    const tasks = [aTask("a"), aTask("b"), { ...aTask("c"), status: "failed" as const }]

    expect(describeStatuses(tasks, "en")).toBe("2 waiting, 1 failed")
  })
})

describe("pasted links", () => {
  it("become a task that adds and one that scores, each channel once", () => {
    const { tasks, channels, problems } = tasksFromLinks(
      "https://www.youtube.com/@Ada\n\n @grace.hopper \nyoutube.com/@ada\r\n",
    )

    expect(problems).toEqual([])
    expect(channels).toBe(2)
    expect(tasks).toEqual([
      { key: "add-ada", kind: "add_channel", url: "https://www.youtube.com/@Ada" },
      { key: "score-ada", kind: "score", depends_on: ["add-ada"] },
      { key: "add-grace.hopper", kind: "add_channel", url: "https://www.youtube.com/@grace.hopper" },
      { key: "score-grace.hopper", kind: "score", depends_on: ["add-grace.hopper"] },
    ])
  })

  it("get keys that the API takes, whatever the script of a name", () => {
    const { tasks } = tasksFromLinks("@株式\n@投資\n@a株")

    const keys = tasks.map(({ key }) => key)
    expect(new Set(keys).size).toBe(6)
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  })

  it("that are none are named with their line", () => {
    const { problems } = tasksFromLinks("@ada\nhttps://example.com/@b\nyoutube.com/")

    expect(problems).toEqual([
      "Line 2: That isn’t a YouTube link. Try youtube.com/@name.",
      "Line 3: That link isn’t complete.",
    ])
  })

  it("are at most 250", () => {
    const text = Array.from({ length: 251 }, (_, index) => `@channel${index}`).join("\n")

    expect(tasksFromLinks(text).problems).toEqual(["A plan takes at most 250 links; these are 251."])
  })
})

describe("an alert", () => {
  const call = {
    ticker: "NVDA",
    sentiment: "sell" as const,
    before: "buy" as const,
    is_reversal: true,
    quote: null,
    quote_url: "https://www.youtube.com/watch?v=abc",
  }

  it("counts calls and reversals", () => {
    const details = [call, { ...call, ticker: "AMD", is_reversal: false }]

    expect(alertTitle({ kind: "calls", details }, "en")).toBe("2 new calls, 1 reversal")
    expect(describeReversal(call)).toBe("Reversal: said buy before")
  })

  it("finds the second of a quote", () => {
    expect(secondIn("https://www.youtube.com/watch?v=abc&t=83s")).toBe(83)
    expect(secondIn("https://www.youtube.com/watch?v=abc&t=83")).toBe(83)
    expect(secondIn("https://www.youtube.com/watch?v=abc")).toBeNull()
  })

  it("tells of verdicts and matured calls in words", () => {
    expect(describeVerdictChange({ horizon: "3m", verdict: "beats_market", before: "not_proven" })).toBe(
      "Over three months: Beats the market. Before: Not proven.",
    )
    const matured = { ticker: "AMD", sentiment: "buy" as const, horizon: "1y" as const, video_id: "v" }
    expect(describeMatured({ ...matured, excess_percent: -4.25 }, "en")).toBe(
      "After one year: -4.3% against the market",
    )
    expect(describeMatured({ ...matured, excess_percent: null })).toBe("After one year: no price")
  })
})

describe("the watchlist", () => {
  const list = { tickers: ["AMD"], channel_ids: ["one"], version: 3 }

  it("takes and drops one without touching the rest", () => {
    expect(toggled(list, { ticker: "NVDA" }, true)).toEqual({ ...list, tickers: ["AMD", "NVDA"] })
    expect(toggled(list, { channelId: "one" }, false)).toEqual({ ...list, channel_ids: [] })
    expect(toggled(list, { ticker: "AMD" }, true)).toEqual(list)
    expect(isWatched(list, { channelId: "one" })).toBe(true)
    expect(isWatched(undefined, { ticker: "AMD" })).toBe(false)
  })
})
