import { describe, expect, it } from "vitest"
import { describeRemoved } from "../../src/domain/removed-videos"
import { checkedCaveat, describeChecked, shortFingerprint } from "../../src/score/checked-calls"
import { markMentions } from "../../src/stock/chart-data"
import { aMention, aVideo } from "../builders"

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
      "34 of the 87 calls the program found were checked by a person, 28 were read correctly (82%, 67% to 92%)",
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
