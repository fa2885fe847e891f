import { describe, expect, it } from "vitest"
import { ApiError, describeError, errorMessage, existingChannelId, isTransient } from "../../src/api/errors"

describe("errors", () => {
  it("are shown in the API's own words where it has some", () => {
    expect(errorMessage(400, { detail: "Channel already exists" })).toBe("Channel already exists")
    expect(errorMessage(422, { detail: [{ msg: "Value error, Give the URL of a channel" }] })).toBe(
      "Give the URL of a channel",
    )
    expect(errorMessage(500, { detail: "Internal Server Error" })).toContain("went wrong on the server (500)")
    expect(errorMessage(418, undefined)).toContain("rejected the request (418)")
  })

  it("are transient when the server or the network failed, not when the request was wrong", () => {
    expect(isTransient(new TypeError("Failed to fetch"))).toBe(true)
    expect(isTransient(new ApiError(503, ""))).toBe(true)
    expect(isTransient(new ApiError(404, ""))).toBe(false)
    expect(describeError(new TypeError("Failed to fetch"))).toBe("Can’t reach the server.")
  })

  it("name the channel that exists already", () => {
    expect(existingChannelId(new ApiError(400, "Channel already exists", "/api/channels/abc"))).toBe("abc")
    expect(existingChannelId(new ApiError(400, "Channel already exists"))).toBeNull()
    expect(existingChannelId(new ApiError(400, "", "https://evil.example/api/channels/abc"))).toBeNull()
    expect(existingChannelId(null)).toBeNull()
  })
})
