import { describe, expect, it } from "vitest"
import { isBeingRead, stateOf } from "../../src/videos/video-status"

describe("a video", () => {
  it("is missing, failed, waiting, being read or read", () => {
    const of = (transcript: string, analysis: string) =>
      stateOf({ transcript_status: transcript, analysis_status: analysis } as Parameters<typeof stateOf>[0])

    expect(of("unavailable", "skipped")).toBe("missing")
    expect(of("failed", "failed")).toBe("failed")
    expect(of("fetched", "failed")).toBe("failed")
    expect(of("pending", "pending")).toBe("waiting")
    expect(of("fetched", "pending")).toBe("reading")
    expect(of("fetched", "completed")).toBe("read")
    expect(isBeingRead({ transcript_status: "fetched", analysis_status: "pending" })).toBe(true)
  })
})
