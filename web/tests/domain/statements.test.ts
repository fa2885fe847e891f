import { describe, expect, it } from "vitest"
import {
  ACT_GROUPS,
  ACT_LABELS,
  describeManner,
  describeOwnTerms,
  heardAs,
} from "../../src/domain/statements"
import decisions from "../decisions.json"

describe("a statement", () => {
  it("names the speaker's own horizon and target, and whether that was reached", () => {
    const own = { price: 50, reached: true, reached_on: "2023-03-03" }

    expect(describeOwnTerms({ horizon: "three to five years", target_price: 200 }, null, "en-US")).toBe(
      "By their own terms: “three to five years”, target $200.00",
    )
    expect(describeOwnTerms({ horizon: null, target_price: 200 }, own, "en-US")).toBe(
      "By their own terms: target $50.00 (reached on Mar 3, 2023)",
    )
    expect(
      describeOwnTerms(
        { horizon: null, target_price: 9 },
        { ...own, reached: false, reached_on: null },
        "en",
      ),
    ).toMatch(/\(not reached within a year\)$/)
    expect(describeOwnTerms({ horizon: null, target_price: null })).toBeNull()
  })

  it("says who spoke and how firmly only where that is not the usual", () => {
    expect(describeManner({ speaker: "host", conviction: 2 })).toEqual([])
    expect(describeManner({ speaker: "guest", conviction: 3 })).toEqual(["Said by a guest", "Said firmly"])
    expect(describeManner({ speaker: "other", conviction: null })).toEqual(["Said by somebody else"])
  })

  it("shows a name as it was heard where the company is called otherwise", () => {
    expect(heardAs({ heard: "Shaneer", company: "Cheniere Energy" })).toBe("Shaneer")
    expect(heardAs({ heard: "coca cola", company: "The Coca-Cola Company" })).toBeNull()
    expect(heardAs({ heard: "Apple", company: null })).toBeNull()
    expect(heardAs({ heard: null, company: "Apple" })).toBeNull()
  })

  it("offers each act once, in words, under the call that the host's words would be", () => {
    const offered = ACT_GROUPS.flatMap(([, acts]) => acts)
    const kindOf = new Map(
      decisions
        .filter(({ speaker, sponsored }) => speaker === "host" && !sponsored)
        .map(({ act, sentiment }) => [act, sentiment]),
    )

    expect([...offered].sort()).toEqual(Object.keys(ACT_LABELS).sort())
    for (const [label, acts] of ACT_GROUPS) {
      for (const act of acts) {
        expect(kindOf.get(act)).toBe(label === "Not a call" ? "mentioned" : label.toLowerCase())
      }
    }
  })
})
