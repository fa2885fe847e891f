import { describe, expect, it } from "vitest"
import type { Settings } from "../../src/api/types"
import { describeMe, isOwn, withChoice } from "../../src/domain/settings"

describe("settings", () => {
  const settings: Settings = {
    horizon: "1y",
    cost_bps: 10,
    review_below: 0.8,
    benchmark: "^GSPC",
    own: ["horizon", "review_below"],
    version: 4,
  }

  it("are sent whole: what is the reader's own stays so, and the rest follows the default", () => {
    expect(withChoice(settings, { cost_bps: 25 })).toEqual({
      horizon: "1y",
      cost_bps: 25,
      review_below: 0.8,
      benchmark: null,
      version: 4,
    })
    expect(withChoice(settings, { horizon: null }).horizon).toBeNull()
    expect([isOwn(settings, "horizon"), isOwn(settings, "cost_bps")]).toEqual([true, false])
  })

  it("say whose they are", () => {
    expect(describeMe({ user_id: "local", email: null, name: null }).name).toBe("local")
    expect(describeMe({ user_id: "owner", email: null, name: null }).why).toContain("access token")
    expect(describeMe({ user_id: "8d2f", email: "ann@example.com", name: null }).name).toBe("ann@example.com")
    expect(describeMe({ user_id: "8d2f", email: null, name: "Ann" }).name).toBe("Ann")
    expect(describeMe({ user_id: "8d2f", email: null, name: null }).name).toBe("8d2f")
  })
})
