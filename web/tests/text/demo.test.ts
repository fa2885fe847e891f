import { describe, expect, it } from "vitest"
import { isDemo, withoutDemoSuffix } from "../../src/text/demo"

describe("the demo", () => {
  it("is recognised by its channels' names, and by their URLs before the names are known", () => {
    expect(isDemo({ name: "Market Talk (demo)", url: "https://x" })).toBe(true)
    expect(isDemo({ name: "DemoMarketTalk", url: "https://www.youtube.com/@DemoMarketTalk" })).toBe(true)
    expect(isDemo({ name: "Democracy", url: "https://www.youtube.com/@Democracy" })).toBe(false)
    expect(withoutDemoSuffix("Market Talk (demo)")).toBe("Market Talk")
  })
})
