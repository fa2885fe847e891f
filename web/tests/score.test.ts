import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { costsIn, strategyIn } from "../src/record/backtest"
import { channelsIn, compareLink } from "../src/record/compare"
import { fromCommonStart } from "../src/record/curves"
import { horizonIn, horizonSearch } from "../src/record/horizons"
import {
  describeCallsNeeded,
  describeEntries,
  describePlacebo,
  describeRunUp,
  describeWithoutBest,
} from "../src/record/robustness"
import { commonScale, share, ticks } from "../src/record/scale"
import { BUY, SELL, type WorkedCall, workOut } from "../src/record/worked-example"
import { formatExact, formatProbability } from "../src/text/numbers"
import { aScore } from "./builders"

describe("what the URL says", () => {
  it("is taken where it is valid, and the default otherwise", () => {
    const good = new URLSearchParams("horizon=1y&strategy=inverse&costs=0")
    const bad = new URLSearchParams("horizon=2y&strategy=yolo&costs=-5")

    expect([horizonIn(good), strategyIn(good), costsIn(good)]).toEqual(["1y", "inverse", 0])
    expect([horizonIn(bad), strategyIn(bad), costsIn(bad)]).toEqual(["3m", "follow", 10])
  })

  it("names at most four channels, each once", () => {
    expect(channelsIn(new URLSearchParams("channels=a,b,a,,c,d,e"))).toEqual(["a", "b", "c", "d"])
    expect(channelsIn(new URLSearchParams(""))).toEqual([])
  })

  it("is short for the default", () => {
    expect(horizonSearch("3m")).toBe("")
    expect(compareLink(["a", "b"], "3m")).toBe("/compare?channels=a,b")
    expect(compareLink(["a", "b"], "1w")).toBe("/compare?channels=a,b&horizon=1w")
  })
})

describe("a scale", () => {
  it("is one for all rows, holds zero, and leaves a margin", () => {
    const [low, high] = commonScale([
      { low: 2, mean: 5, high: 8 },
      { low: null, mean: -2, high: null },
    ]) ?? [0, 0]

    expect(low).toBeCloseTo(-2.4)
    expect(high).toBeCloseTo(8.4)
    expect(commonScale([{ low: null, mean: null, high: null }])).toBeNull()
  })

  it("holds values within", () => {
    expect([-1, 0, 5, 10, 11].map((value) => share(value, 0, 10))).toEqual([0, 0, 0.5, 1, 1])
    expect(share(3, 3, 3)).toBe(0.5)
  })

  it("has round ticks", () => {
    expect(ticks(36, 192)).toEqual([50, 100, 150])
    expect(ticks(-0.4, 1.1, 4)).toEqual([0, 0.5, 1])
    expect(ticks(5, 5)).toEqual([5])
  })
})

describe("curves to compare", () => {
  const early = {
    label: "Early",
    points: [point("2024-01-01", 100), point("2024-02-01", 80), point("2024-03-01", 120)],
  }
  const late = { label: "Late", points: [point("2024-02-01", 100), point("2024-03-01", 110)] }

  it("begin together, at 100", () => {
    expect(fromCommonStart([early, late])).toEqual([
      { label: "Early", points: [point("2024-02-01", 100), point("2024-03-01", 150)] },
      late,
    ])
  })

  it("leave out those without trades", () => {
    expect(fromCommonStart([late, { label: "None", points: [] }])).toEqual([late])
    expect(fromCommonStart([])).toEqual([])
  })
})

function point(date: string, value: number) {
  return { date, value }
}

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
    expect(describeCallsNeeded(aScore(), "en")).toContain("about 250 more are needed")
    expect(describeCallsNeeded(aScore({ calls_needed: 40 }), "en")).toContain("enough to show")
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

describe("the worked example", () => {
  const [header = "", ...lines] = readFileSync("../functions/record/sources/demo/prices.csv", "utf8")
    .trim()
    .split("\n")
  const columns = header.split(",")
  const closeOn = (day: string, ticker: string) =>
    Number(lines.find((line) => line.startsWith(day))?.split(",")[columns.indexOf(ticker)])
  const days = lines.map((line) => line.slice(0, 10))

  it.each([BUY, SELL])(
    "has the demo's own prices, 63 sessions apart",
    ({ ticker, entry, exit, published }: WorkedCall) => {
      for (const { day, close, index } of [entry, exit]) {
        expect(closeOn(day, ticker)).toBe(close)
        expect(closeOn(day, "^GSPC")).toBe(index)
      }
      expect(days.indexOf(exit.day) - days.indexOf(entry.day)).toBe(63)
      expect(days.find((day) => day > published)).toBe(entry.day)
    },
  )

  it("adds up as it is shown", () => {
    const shown = [BUY, SELL].map((call) =>
      Object.values(workOut(call)).map((each) => formatExact(each, "en")),
    )

    expect(shown).toEqual([
      ["+15.77%", "-6.47%", "+22.24%"],
      ["+19.90%", "+6.03%", "-13.87%"],
    ])
  })
})
