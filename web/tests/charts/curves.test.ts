import { describe, expect, it } from "vitest"
import { fromCommonStart } from "../../src/charts/curves"

function point(date: string, value: number) {
  return { date, value }
}

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
