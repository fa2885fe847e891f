import { describe, expect, it } from "vitest"
import {
  describeCallsNeeded,
  describeEntries,
  describePlacebo,
  describeRunUp,
  describeWithoutBest,
} from "../../src/score/robustness"
import { formatProbability } from "../../src/text/numbers"
import { aScore } from "../builders"

describe("what a sceptic asks", () => {
  it("says who chases and who does not", () => {
    expect(describeRunUp(8)).toContain("chases what has already risen")
    expect(describeRunUp(1)).toContain("does not chase")
    expect(describeRunUp(-8)).toContain("picks what has fallen")
    expect(describeRunUp(null)).toContain("Not enough prices")
  })

  it("says when one stock carries the record", () => {
    const carried = aScore({ without_best_ticker: { ticker: "NVDA", mean_excess_percent: -0.5 } })

    expect(describeWithoutBest(carried)).toContain("One stock carries the record")
    expect(describeWithoutBest(aScore())).not.toContain("carries")
    expect(describeWithoutBest(aScore({ without_best_ticker: null }))).toContain("no scored calls")
  })

  it("says how many calls are missing", () => {
    expect(describeCallsNeeded(aScore(), "en")).toBe(
      "Its calls are worth about 25 independent ones: about 275 more are needed to show an edge as small as 2%.",
    )
    expect(describeCallsNeeded(aScore({ calls_needed: 20 }), "en")).toContain("enough to show")
    expect(describeCallsNeeded(aScore({ calls_needed: null }), "en")).toContain("at least two")
  })

  it("says whether timing matters", () => {
    expect(describePlacebo(aScore({ placebo_p_value: 0.004 }), "en")).toContain(
      "fewer than 1% of trials: its timing matters",
    )
    expect(describePlacebo(aScore({ placebo_p_value: 0.3, mean_excess_percent: -2 }), "en")).toContain(
      "did as badly in 30% of trials: its timing adds nothing",
    )
    expect(describePlacebo(aScore({ placebo_p_value: 0.05, calls: 3 }), "en")).toContain(
      "5% of trials, which means little with so few calls.",
    )
    expect(describePlacebo(aScore({ placebo_p_value: null }), "en")).toContain("Too short")
  })

  it("says whether the entry matters", () => {
    const { entry_sensitivity: entries } = aScore()

    expect(describeEntries(entries)).toContain("hardly changes")
    expect(describeEntries({ ...entries, before_publication: 9 })).toContain("over before a viewer could act")
    expect(describeEntries({ ...entries, before_publication: 3 })).toContain(
      "did better than the price before",
    )
    expect(describeEntries({ ...entries, before_publication: -2, ours: -6 })).toBe(
      "A viewer who acted after the video did worse than the price before it.",
    )
    expect(describeEntries({ ...entries, ours: null })).toContain("Not enough prices")
  })

  it("does not show a probability as zero", () => {
    expect([0.0049, 0.01, 0.4].map((each) => formatProbability(each, "en"))).toEqual(["< 1%", "1%", "40%"])
    expect(formatProbability(null)).toBe("–")
  })
})
