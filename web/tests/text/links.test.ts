import { describe, expect, it } from "vitest"
import { webAddress } from "../../src/text/links"

describe("links", () => {
  it("lead to web pages only", () => {
    expect(webAddress("https://www.youtube.com/watch?v=x")).toBe("https://www.youtube.com/watch?v=x")
    for (const address of ["javascript:alert(1)", "data:text/html,x", "//host", "", null]) {
      expect(webAddress(address)).toBeUndefined()
    }
  })
})
