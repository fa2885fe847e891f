import { describe, expect, it } from "vitest"
import { costsIn, costsParameter, formatCosts, withPresent } from "../../src/domain/backtest"
import { horizonIn, horizonSearch } from "../../src/domain/horizons"
import { readDefaults } from "../../src/domain/settings"
import { compareLink } from "../../src/leaderboard/compare"

describe("a default of the reader's own", () => {
  it("applies where the address names nothing that can be used", () => {
    expect(horizonIn(new URLSearchParams(""), "1y")).toBe("1y")
    expect(horizonIn(new URLSearchParams("horizon=3m"), "1y")).toBe("3m")
    expect(costsIn(new URLSearchParams(""), 33)).toBe(33)
    expect(costsIn(new URLSearchParams("costs=0"), 33)).toBe(0)
    for (const bad of ["costs=", "costs=-1", "costs=1e9", "costs=much"]) {
      expect(costsIn(new URLSearchParams(bad), 33)).toBe(33)
    }
  })

  it("is named by links, so that they show the same to others; and so is the built-in one then", () => {
    expect(horizonSearch("1y", "1y")).toBe("?horizon=1y")
    expect(horizonSearch("3m", "1y")).toBe("?horizon=3m")
    expect(compareLink(["a", "b"], "3m", "1y")).toBe("/compare?channels=a,b&horizon=3m")
    expect([costsParameter(10), costsParameter(10, 25), costsParameter(0)]).toEqual([null, "10", "0"])
  })

  it("survives in the browser only where it can be used", () => {
    expect(readDefaults('{"horizon":"1w","costs":25}')).toEqual({ horizon: "1w", costs: 25 })
    for (const bad of [null, "", "null", "{", "[]", '{"horizon":"9y","costs":"25"}', '{"costs":-1}']) {
      expect(readDefaults(bad)).toEqual({ horizon: "3m", costs: 10 })
    }
  })

  it("is among what a select offers", () => {
    expect(withPresent([0, 10, 25], 7.5)).toEqual([0, 7.5, 10, 25])
    expect(withPresent([0, 10, 25], 10)).toEqual([0, 10, 25])
    expect([formatCosts(0, "en"), formatCosts(7.5, "en")]).toEqual(["none", "0.08%"])
  })
})
