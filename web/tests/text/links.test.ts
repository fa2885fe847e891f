import { describe, expect, it } from "vitest"
import { atSecond, webAddress } from "../../src/text/links"

describe("links", () => {
  it("lead to web pages only", () => {
    expect(webAddress("https://www.youtube.com/watch?v=x")).toBe("https://www.youtube.com/watch?v=x")
    for (const address of ["javascript:alert(1)", "data:text/html,x", "//host", "", null]) {
      expect(webAddress(address)).toBeUndefined()
    }
  })

  it("lead to another second of a video", () => {
    const video = "https://www.youtube.com/watch?v=x"

    expect(atSecond(`${video}&t=5s`, 90)).toBe(`${video}&t=90s`)
    expect(atSecond(video, 0)).toBe(`${video}&t=0s`)
    expect(atSecond("nowhere", 90)).toBe("nowhere")
  })
})
