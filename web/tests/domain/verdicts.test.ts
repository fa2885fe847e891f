import { describe, expect, it } from "vitest"
import {
  explainVerdict,
  isUnchecked,
  type Judged,
  VERDICT_REMARKS,
  VERDICTS,
  verdictLimits,
  verdictTone,
} from "../../src/domain/verdicts"
import { aScore } from "../builders"

function judged(changes: Partial<Judged>): Judged {
  return { ...aScore(), verdict: "beats_market", joint_p_value: 0.036, q_value: 0.04, ...changes }
}

function sentences(text: string): number {
  return text.split(/[.!?](?:\s|$)/).filter(Boolean).length
}

describe("the verdict in words", () => {
  it("remarks on what needs explaining", () => {
    expect(VERDICTS.map((verdict) => VERDICT_REMARKS[verdict])).toEqual([
      undefined,
      undefined,
      "so did they at other times",
      "could be luck",
      undefined,
      undefined,
    ])
  })

  it("colours only what is proven", () => {
    expect(VERDICTS.map(verdictTone)).toEqual(["up", "down", "flat", "flat", "flat", "flat"])
    expect(verdictTone(undefined)).toBe("flat")
  })
})

describe("why", () => {
  it("takes two sentences, whatever the verdict", () => {
    for (const verdict of VERDICTS)
      expect(sentences(explainVerdict(judged({ verdict }), "3m", 300, "en"))).toBe(2)
  })

  it("names the calls, the excess with its interval, and the horizon", () => {
    expect(explainVerdict(judged({}), "3m", 300, "en")).toBe(
      "Over three months, its 50 scored calls did 6.0% better than the S&P 500 on average (probably between +2.0% and " +
        "+10.0%). A channel with no skill would do this about 4% of the time, and its stocks did worse at other times.",
    )
  })

  it("says worse for a channel that lags, without a second minus", () => {
    const lagging = judged({ verdict: "lags_market", mean_excess_percent: -8.36, excess_low_percent: null })

    expect(explainVerdict(lagging, "1y", null, "en")).toContain(
      "Over one year, its 50 scored calls did 8.4% worse than",
    )
    expect(explainVerdict(lagging, "1y", null, "en")).not.toContain("probably")
  })

  it("does not call it skill, nor deny it, where its stocks did the same", () => {
    const like = judged({ verdict: "like_its_stocks" })

    expect(explainVerdict(like, "3m", null, "en")).toContain("can be good picking or hindsight")
    expect(explainVerdict({ ...like, mean_excess_percent: -3 }, "3m", null, "en")).toContain("bad luck")
  })

  it("says how likely luck is and how many calls it would take", () => {
    const unproven = judged({ verdict: "not_proven", joint_p_value: 0.35, q_value: 0.5 })
    const text = explainVerdict(unproven, "3m", 1300, "en")

    expect(text).toContain("about 35% of the time; it would")
    expect(text).toContain("about 1,300 independent calls")
  })

  it("says that luck looks like this among many channels, where alone it would not", () => {
    const rare = judged({ verdict: "not_proven", joint_p_value: 0.004, q_value: 0.2 })
    const text = explainVerdict(rare, "3m", 300, "en")

    expect(text).toContain("less than 1% of the time, but among so many channels compared some do this")
    expect(sentences(text)).toBe(2)
  })

  it("does not ask for calls of a channel that has enough and lacks days", () => {
    const brief = judged({
      verdict: "too_few_calls",
      calls: 25,
      pending: 0,
      joint_p_value: null,
      q_value: null,
    })

    expect(explainVerdict(brief, "1w", null, "en")).toBe(
      "25 calls are scored at one week, but they were held on too few days for a test (60 are needed). None are pending.",
    )
  })

  it("counts pending calls apart from scored ones, and never as zero results", () => {
    const few = judged({ verdict: "too_few_calls", calls: 3, pending: 1 })

    expect(explainVerdict(few, "6m", null, "en")).toBe(
      "3 calls are scored at six months, and a verdict needs 20. 1 more is pending: too early to tell.",
    )
    expect(explainVerdict({ ...few, calls: 1, pending: 0 }, "6m", null, "en")).toContain("1 call is scored")
  })
})

describe("a verdict", () => {
  it("is unchecked until people have checked a sample of its calls", () => {
    expect(isUnchecked({ verdict: "beats_market", right_source: null })).toBe(true)
    expect(isUnchecked({ verdict: "beats_market", right_source: "analyst" })).toBe(true)
    expect(isUnchecked({ verdict: "beats_market", right_source: "reviews" })).toBe(false)
    expect(isUnchecked({ verdict: "not_proven", right_source: null })).toBe(false)
  })
})

describe("the limits of a verdict", () => {
  it("name what the calls are worth and how many misread ones would turn it", () => {
    expect(
      verdictLimits(judged({ calls: 56, independent_calls: 25.3, flips_to_turn: 2 }), "3m", "en"),
    ).toEqual([
      "56 calls, worth about 25 independent ones.",
      "Two misread calls of 56 would turn this verdict.",
    ])
    expect(verdictLimits(judged({ flips_to_turn: 1 }), "3m", "en")).toContain(
      "One misread call of 50 would turn this verdict.",
    )
    expect(verdictLimits(judged({ flips_to_turn: 12 }), "3m", "en").join(" ")).toContain(
      "12 misread calls of 50",
    )
  })

  it("say that an interval reaches zero, instead of that no misread call would turn it", () => {
    expect(verdictLimits(judged({ flips_to_turn: 0 }), "3m", "en")[1]).toContain("reaches zero")
  })

  it("turn nothing where nothing is concluded, and say nothing that is unknown", () => {
    const unproven = judged({ verdict: "not_proven", independent_calls: null, flips_to_turn: 2 })

    expect(verdictLimits(unproven, "3m", "en")).toEqual([])
  })

  it("mark the horizons other than three months as secondary", () => {
    expect(verdictLimits(judged({}), "1y", "en").at(-1)).toMatch(/^A secondary horizon/)
    expect(verdictLimits(judged({}), "3m", "en").at(-1)).not.toMatch(/secondary/)
  })
})
