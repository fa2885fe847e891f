import { describe, expect, it } from "vitest"
import { periodAround, sparkOf } from "../../src/review/spark"

describe("the closes around a call", () => {
  const closes = [
    { date: "2024-01-01", close: 10 },
    { date: "2024-01-03", close: 20 },
    { date: "2024-01-05", close: 15 },
  ]

  it("are a line with the call on the last close before it", () => {
    const { path, mark } = sparkOf(closes, "2024-01-04", 100, 40)

    expect(path).toBe("M0 40L50 0L100 20")
    expect(mark).toEqual({ x: 50, y: 0, close: closes[1] })
  })

  it("have no mark before the first close, and lie in the middle where the price did not move", () => {
    expect(sparkOf(closes, "2023-12-31", 100, 40).mark).toBeNull()
    expect(sparkOf(closes.slice(0, 1), "2024-01-01", 100, 40).mark?.y).toBe(20)
    expect(sparkOf([], "2024-01-01", 100, 40)).toEqual({ path: "", mark: null })
  })

  it("end today at the latest", () => {
    expect(periodAround("2024-06-01", "2024-06-20")).toEqual({ start: "2024-04-02", end: "2024-06-20" })
    expect(periodAround("2022-06-01", "2024-06-20").end).toBe("2022-09-19")
  })
})
