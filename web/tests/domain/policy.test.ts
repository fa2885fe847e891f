import { describe, expect, it } from "vitest"
import type { Act, Sentiment, Speaker } from "../../src/api/types"
import { decide, explainDecision, PLAIN_ACTS } from "../../src/domain/policy"
import decisions from "../decisions.json"

interface Row {
  act: Act
  speaker: Speaker
  sponsored: boolean
  sentiment: Sentiment
  explanation: string
}

describe("the policy", () => {
  it("decides on each statement as the server does", () => {
    for (const row of decisions as Row[]) {
      expect({ sentiment: decide(row).sentiment, explanation: explainDecision(row) }, row.act).toEqual({
        sentiment: row.sentiment,
        explanation: row.explanation,
      })
    }
  })

  it("makes of the plain act of a kind that kind", () => {
    for (const [sentiment, act] of Object.entries(PLAIN_ACTS)) {
      expect(decide({ act, speaker: "host", sponsored: false }).sentiment).toBe(sentiment)
    }
  })
})
