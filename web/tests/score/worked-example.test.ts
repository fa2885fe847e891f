import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { BUY, SELL, type WorkedCall, workOut } from "../../src/score/worked-example"
import { formatExact } from "../../src/text/numbers"

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
