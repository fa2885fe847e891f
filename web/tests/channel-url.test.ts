import { describe, expect, it } from "vitest"
import { checkChannelUrl } from "../src/text/channel-url"
import urls from "./channel-urls.json"

// The API's tests read the same file.
describe("a channel's URL", () => {
  it.each(urls.right)("is right: %s", (url) => {
    expect(checkChannelUrl(url).state).toBe("right")
  })

  it.each(urls.wrong)("is not right: %s", (url) => {
    expect(checkChannelUrl(url).state).not.toBe("right")
  })

  it("is no mistake while it is being typed", () => {
    const url = "https://www.youtube.com/@"
    for (let length = 1; length <= url.length; length++) {
      expect(checkChannelUrl(url.slice(0, length)).state).toBe("unfinished")
    }
    expect(checkChannelUrl(" ").state).toBe("empty")
    expect(checkChannelUrl("https://vimeo").state).toBe("wrong")
  })

  it("may be a handle alone", () => {
    expect(checkChannelUrl("@name")).toEqual({
      state: "right",
      url: "https://www.youtube.com/@name",
      name: "name",
    })
  })

  it("is not longer than the API takes", () => {
    expect(checkChannelUrl(`https://www.youtube.com/@name?${"x".repeat(2048)}`).state).toBe("wrong")
  })
})
