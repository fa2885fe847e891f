import { describe, expect, it } from "vitest"
import { explainVerdict, type Judged, VERDICTS, verdictSentence, verdictTone } from "../src/record/verdicts"
import { aScore } from "./builders"

function judged(changes: Partial<Judged>): Judged {
  return { ...aScore(), verdict: "beats_market", ...changes }
}

function sentences(text: string): number {
  return text.split(/[.!?](?:\s|$)/).filter(Boolean).length
}

describe("the verdict in words", () => {
  it("says what each means", () => {
    expect(VERDICTS.map(verdictSentence)).toEqual([
      "Beats the market",
      "Lags the market",
      "Like its stocks: they did as well on any other day",
      "Not proven: could be luck",
      "Too few calls",
    ])
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

  it("tells how often other days did as well, or as badly", () => {
    const like = judged({ verdict: "like_its_stocks", placebo_p_value: 0.42 })

    expect(explainVerdict(like, "3m", null, "en")).toContain("did as well in 42% of trials")
    expect(explainVerdict({ ...like, alpha_percent: -3 }, "3m", null, "en")).toContain(
      "did as badly in 42% of trials",
    )
  })

  it("does not blame other days where average and portfolio disagree", () => {
    const like = judged({ verdict: "like_its_stocks", placebo_p_value: 0.05 })

    expect(explainVerdict(like, "3m", null, "en")).toContain("point in opposite directions")
  })

  it("says how likely luck is and how many calls it would take", () => {
    const text = explainVerdict(judged({ verdict: "not_proven", p_value: 0.35 }), "3m", 1300, "en")

    expect(text).toContain("about 35% of the time")
    expect(text).toContain("about 1,300 independent calls")
  })

  it("counts pending calls apart from scored ones, and never as zero results", () => {
    const few = judged({ verdict: "too_few_calls", calls: 3, pending: 1 })

    expect(explainVerdict(few, "6m", null, "en")).toBe(
      "3 calls are scored at six months, and a verdict needs 20. 1 more is pending: too early to tell.",
    )
    expect(explainVerdict({ ...few, calls: 1, pending: 0 }, "6m", null, "en")).toContain("1 call is scored")
  })
})
