import { describe, expect, it } from "vitest"
import { checkChannelUrl } from "../../src/text/channel-url"
import urls from "../channel-urls.json"

// The API's tests read the same file.
describe("a channel's URL", () => {
  it.each(urls.valid)("is valid: %s", (url) => {
    expect(checkChannelUrl(url).state).toBe("valid")
  })

  it.each(urls.invalid)("is not valid: %s", (url) => {
    expect(checkChannelUrl(url).state).not.toBe("valid")
  })

  it("is incomplete, not invalid, while it is being typed", () => {
    const url = "https://www.youtube.com/@"
    for (let length = 1; length <= url.length; length++) {
      expect(checkChannelUrl(url.slice(0, length)).state).toBe("incomplete")
    }
    expect(checkChannelUrl(" ").state).toBe("empty")
    expect(checkChannelUrl("https://vimeo").state).toBe("invalid")
  })

  it("may be just a handle", () => {
    expect(checkChannelUrl("@name")).toEqual({
      state: "valid",
      url: "https://www.youtube.com/@name",
      name: "name",
    })
  })

  it("is corrected with an example", () => {
    expect(checkChannelUrl("youtube.com/watch?v=abc")).toEqual({
      state: "invalid",
      hint: "That isn’t a channel link. Try youtube.com/@name.",
    })
  })

  it("is not longer than the API accepts", () => {
    expect(checkChannelUrl(`https://www.youtube.com/@name?${"x".repeat(2048)}`).state).toBe("invalid")
  })
})
