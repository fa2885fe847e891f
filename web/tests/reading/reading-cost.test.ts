import { describe, expect, it } from "vitest"
import type { Setup } from "../../src/api/types"
import {
  describeCost,
  describeReader,
  describeTokens,
  videosToEstimate,
} from "../../src/reading/reading-cost"

const READER: Setup["reader"] = {
  name: "gpt-5-mini",
  provider: "openai",
  sends_to: "api.openai.com",
  dollars_per_hour: 0.01,
  prices_as_of: "2025-12",
  daily_tokens: null,
}
const ESTIMATE: Setup["estimate"] = {
  videos: 100,
  words: 350_000,
  tokens_in: 1_010_000,
  tokens_out: 170_000,
  dollars: 1.5,
}

function cost(reader: Partial<Setup["reader"]> = {}, estimate: Partial<Setup["estimate"]> = {}): string {
  return describeCost({ reader: { ...READER, ...reader }, estimate: { ...ESTIMATE, ...estimate } }, "en")
}

describe("who reads", () => {
  it("is named with the host that gets the transcripts", () => {
    expect(describeReader(READER)).toBe("Read by gpt-5-mini. Transcripts are sent to api.openai.com.")
  })

  it("says that nothing leaves this machine", () => {
    const rules = { ...READER, name: "rules 4.0", sends_to: "this machine" }

    expect(describeReader(rules)).toBe("Read by rules 4.0. Transcripts stay on this machine.")
  })

  it("says that a setting of the model is missing", () => {
    expect(describeReader({ ...READER, name: null })).toMatch(/^The model that reads isn’t set up yet\./)
  })
})

describe("what reading costs", () => {
  it("is told in tokens and at the list prices of a month", () => {
    expect(cost()).toBe(
      "Reading 100 videos takes about 1.2 million tokens, about $1.50 at list prices of December 2025.",
    )
  })

  it("is told at the prices that were set", () => {
    expect(cost({ prices_as_of: null }, { dollars: 250.4 })).toBe(
      "Reading 100 videos takes about 1.2 million tokens, about $250 at the prices in the settings.",
    )
  })

  it("is never rounded to nothing", () => {
    expect(cost({}, { videos: 1, tokens_in: 8_310, tokens_out: 0, dollars: 0.0004 })).toBe(
      "Reading 1 video takes about 8,300 tokens, less than $0.01 at list prices of December 2025.",
    )
  })

  it("is nothing for a model on this machine, which still takes its tokens", () => {
    const local = { provider: "ollama", sends_to: "this machine", prices_as_of: null }

    expect(cost(local, { dollars: 0 })).toBe(
      "Reading 100 videos takes about 1.2 million tokens and costs nothing.",
    )
  })

  it.each(["rules", "recorded"])("is nothing for %s, whatever the estimate of tokens", (provider) => {
    expect(cost({ provider }, { dollars: 0 })).toBe("Reading 100 videos costs nothing.")
  })

  it("is told in tokens alone where the price isn't known", () => {
    expect(cost({ prices_as_of: null }, { dollars: null })).toBe(
      "Reading 100 videos takes about 1.2 million tokens; the price of this model isn’t known here.",
    )
  })

  it("names the daily limit only if it will be reached", () => {
    expect(cost({ daily_tokens: 500_000 })).toMatch(
      / It pauses after 500,000 tokens a day and goes on the next day\.$/,
    )
    expect(cost({ daily_tokens: 2_000_000 })).not.toContain("pauses")
  })
})

describe("an estimate", () => {
  it("is asked for no more videos than the API takes, and for none without videos", () => {
    expect(videosToEstimate(47)).toBe(47)
    expect(videosToEstimate(250_000)).toBe(100_000)
    expect(videosToEstimate(0)).toBeNull()
  })
})

describe("the tokens of a reading", () => {
  it("are those sent and returned", () => {
    expect(describeTokens({ tokens_in: 9_000, tokens_out: 1_200 }, "en")).toBe("10,000 tokens")
  })

  it("are left out if no model read", () => {
    expect(describeTokens({ tokens_in: 0, tokens_out: 0 })).toBeNull()
    expect(describeTokens({ tokens_in: null, tokens_out: null })).toBeNull()
  })
})
