import { describe, expect, it } from "vitest"
import type { Run } from "../../src/api/types"
import {
  describeCheck,
  describeDurations,
  describeProgress,
  describeSlowed,
  durationBars,
  planOf,
  starterOf,
} from "../../src/domain/runs"
import { aRun } from "../builders"

const NOW = Date.parse("2026-03-01T12:00:00Z")

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
    expect(starterOf(aRun({ started_by: "clock" }))).toBe("the scheduler")
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
