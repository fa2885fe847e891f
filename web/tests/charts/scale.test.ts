import { describe, expect, it } from "vitest"
import { commonScale, share, ticks } from "../../src/charts/scale"

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
