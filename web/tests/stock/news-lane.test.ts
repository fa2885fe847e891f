import { describe, expect, it } from "vitest"
import {
  barLength,
  barOf,
  describeDay,
  describeDays,
  laneBars,
  laneDays,
  nearestBar,
} from "../../src/stock/news-lane"

const none = { positive: 0, neutral: 0, negative: 0 }

describe("the lane of news", () => {
  const closes = ["2022-03-10", "2022-03-11", "2022-03-14"].map((date) => ({ date, close: 1 }))
  const news = (date: string, changes = {}) => ({ date, ...none, pending: 0, ...changes })
  const days = laneDays(
    [
      news("2022-03-01", { positive: 9 }),
      news("2022-03-10", { positive: 1 }),
      news("2022-03-11", { negative: 1 }),
      news("2022-03-13", { negative: 2, pending: 1 }),
    ],
    closes,
  )

  it("puts the news of a weekend on the session before it, and leaves out what comes before the chart", () => {
    expect(days).toEqual([
      { session: "2022-03-10", first: "2022-03-10", last: "2022-03-10", ...none, positive: 1, pending: 0 },
      { session: "2022-03-11", first: "2022-03-11", last: "2022-03-13", ...none, negative: 3, pending: 1 },
    ])
  })

  it("shows the bars in view, and one for days too close to distinguish", () => {
    const apart = laneBars(days, (session) => (session === "2022-03-10" ? 10 : 60), 100)
    const close = laneBars(days, (session) => (session === "2022-03-10" ? 10 : 12), 100)
    const zoomed = laneBars(days, (session) => (session === "2022-03-10" ? -5 : 60), 100)

    expect(apart.map(({ x }) => x)).toEqual([10, 60])
    expect(close).toMatchObject([
      { x: 10, first: "2022-03-10", last: "2022-03-13", positive: 1, negative: 3 },
    ])
    expect(zoomed.map(({ session }) => session)).toEqual(["2022-03-11"])
    expect(barOf(close, "2022-03-11")).toBe(close[0])
    expect(barOf(zoomed, "2022-03-10")).toBeNull()
    expect(nearestBar(apart, 55, 8)).toBe(apart[1])
    expect(nearestBar(apart, 30, 8)).toBeNull()
  })

  it("tells days and their headlines in words", () => {
    const [first, second] = days
    expect(first && describeDays(first, "en-US")).toBe("Mar 10, 2022")
    expect(second && describeDays(second, "en-US")).toBe("Mar 11, 2022 to Mar 13, 2022")
    expect(second && describeDay(second)).toBe("3 negative headlines, 1 headline not read yet")
    expect(describeDay({ session: "", first: "", last: "", ...none, pending: 2 })).toBe(
      "2 headlines not read yet",
    )
  })

  it("has bars that grow with the count and stay within the lane", () => {
    expect(barLength(0, 4, 28)).toBe(0)
    expect(barLength(1, 1, 27)).toBe(9)
    expect(barLength(2, 4, 28)).toBe(14)
    expect(barLength(1, 100, 28)).toBe(3)
    expect(barLength(4, 4, 28)).toBe(28)
  })
})
