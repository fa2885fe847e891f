import { describe, expect, it } from "vitest"
import { explainVerdict, type Judged, VERDICTS, verdictRemark, verdictTone } from "../../src/domain/verdicts"
import { aScore } from "../builders"

function judged(changes: Partial<Judged>): Judged {
  return { ...aScore(), verdict: "beats_market", q_value: 0.03, ...changes }
}

function sentences(text: string): number {
  return text.split(/[.!?](?:\s|$)/).filter(Boolean).length
}

describe("the verdict in words", () => {
  it("remarks on what needs explaining", () => {
    expect(VERDICTS.map((verdict) => verdictRemark(verdict))).toEqual([
      undefined,
      undefined,
      "they did as well on any other day",
      "could be luck",
      undefined,
    ])
  })

  it("does not put down to luck what only lacks other days", () => {
    expect(verdictRemark("not_proven", { q_value: 0.01, placebo_p_value: null })).toBe("too few days to tell")
    expect(verdictRemark("not_proven", { q_value: 0.4, placebo_p_value: null })).toBe("could be luck")
    expect(verdictRemark("not_proven", { q_value: 0.4, placebo_p_value: 0.02 })).toBe("could be luck")
  })

  it("colours only what is proven", () => {
    expect(VERDICTS.map(verdictTone)).toEqual(["up", "down", "flat", "flat", "flat"])
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
        "+10.0%). Luck alone would hardly do that, and the same stocks called on other days did worse.",
    )
  })

  it("says worse for a channel that lags, without a second minus", () => {
    const lagging = judged({ verdict: "lags_market", mean_excess_percent: -8.36, excess_low_percent: null })

    expect(explainVerdict(lagging, "1y", null, "en")).toContain(
      "Over one year, its 50 scored calls did 8.4% worse than",
    )
    expect(explainVerdict(lagging, "1y", null, "en")).not.toContain("probably")
  })

  it("tells how often other days did as well, or as badly, as the mean excess", () => {
    const like = judged({ verdict: "like_its_stocks", placebo_p_value: 0.42 })

    expect(explainVerdict(like, "3m", null, "en")).toContain("did as well in 42% of trials")
    expect(explainVerdict({ ...like, alpha_percent: -3 }, "3m", null, "en")).toContain("did as well in 42%")
    expect(explainVerdict({ ...like, mean_excess_percent: -3 }, "3m", null, "en")).toContain(
      "did as badly in 42% of trials",
    )
  })

  it("does not blame other days where average and portfolio disagree", () => {
    const like = judged({ verdict: "like_its_stocks", placebo_p_value: 0.05 })

    expect(explainVerdict(like, "3m", null, "en")).toContain("point in opposite directions")
  })

  it("says how likely luck is and how many calls it would take", () => {
    const unproven = judged({ verdict: "not_proven", p_value: 0.35, q_value: 0.5 })
    const text = explainVerdict(unproven, "3m", 1300, "en")

    expect(text).toContain("about 35% of the time; it would")
    expect(text).toContain("about 1,300 independent calls")
  })

  it("says that luck looks like this among many channels, where alone it would not", () => {
    const rare = judged({ verdict: "not_proven", p_value: 0.004, q_value: 0.2 })
    const text = explainVerdict(rare, "3m", 300, "en")

    expect(text).toContain(
      "less than 1% of the time, but among so many channels compared some look like this",
    )
    expect(sentences(text)).toBe(2)
  })

  it("says that there are no other days to compare with, and does not call it luck", () => {
    const short = judged({ verdict: "not_proven", p_value: 0.001, q_value: 0.002, placebo_p_value: null })
    const text = explainVerdict(short, "3m", 300, "en")

    expect(text).toContain("too few days to try the same stocks on others")
    expect(text).not.toContain("of the time")
    expect(sentences(text)).toBe(2)
  })

  it("still calls it luck without other days where luck explains it", () => {
    const lucky = judged({ verdict: "not_proven", p_value: 0.6, q_value: 0.6, placebo_p_value: null })

    expect(explainVerdict(lucky, "3m", null, "en")).toContain("about 60% of the time.")
  })

  it("does not ask for calls of a channel that has enough and lacks days", () => {
    const brief = judged({ verdict: "too_few_calls", calls: 25, pending: 0, p_value: null, q_value: null })

    expect(explainVerdict(brief, "1w", null, "en")).toBe(
      "25 calls are scored at one week, but they were held on too few days for a test (20 are needed). None are pending.",
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
