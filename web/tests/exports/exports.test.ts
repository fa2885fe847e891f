import { describe, expect, it } from "vitest"
import type { Export } from "../../src/api/types"
import { namesOf } from "../../src/domain/channels"
import {
  describeChannels,
  describeExpiry,
  describeOffered,
  describeWriting,
  downloadAddress,
  formatBytes,
} from "../../src/exports/exports"

describe("an export", () => {
  const names = namesOf([
    { id: "a", name: "Ann" },
    { id: "b", name: "Ben (demo)" },
  ])

  it("is named by its channels, also by those that are gone", () => {
    expect(describeChannels([], names)).toBe("All channels")
    expect(describeChannels(["b"], names)).toBe("Ben")
    expect(describeChannels(["gone"], names)).toBe("One channel")
    expect(describeChannels(["a", "b"], names)).toBe("Ann and Ben")
    expect(describeChannels(["gone", "b"], names)).toBe("Ben and 1 more")
    expect(describeChannels(["x", "y", "z"], names)).toBe("3 channels")
    expect([describeOffered(["a"], names), describeOffered(["a", "x"], names)]).toEqual(["Ann", "These 2"])
  })

  it("tells how far it is, how large, and until when it is kept", () => {
    const progress = (
      channels: number | null,
      channels_done: number,
    ): Pick<Export, "channels" | "channels_done"> => ({
      channels,
      channels_done,
    })
    expect(describeWriting(progress(null, 0))).toBe("Waiting to begin")
    expect(describeWriting(progress(12, 3), "en")).toBe("3 of 12 channels")
    expect(describeWriting(progress(1, 0), "en")).toBe("0 of 1 channel")
    const now = new Date("2026-11-17T12:00:00Z")
    expect(describeExpiry("2026-12-17T12:00:00Z", now, "en-GB")).toBe("until 17 December")
    expect(describeExpiry("2027-01-16T12:00:00Z", now, "en-GB")).toBe("until 16 January 2027")
    const sizes = [1, 812, 1000, 226_900, 999_499, 999_500, 9_960_000, 4_200_000_000]
    expect(sizes.map((bytes) => formatBytes(bytes, "en"))).toEqual([
      "1 byte",
      "812 bytes",
      "1.0 kB",
      "227 kB",
      "999 kB",
      "1.0 MB",
      "10 MB",
      "4.2 GB",
    ])
  })

  it("is downloaded from this server or by https, and by nothing else", () => {
    const origin = "http://127.0.0.1:3000"
    expect(downloadAddress("/api/exports/1/download", origin)).toBe(`${origin}/api/exports/1/download`)
    expect(downloadAddress("https://bucket.example.com/file?sign=1", origin)).toContain("https://bucket")
    for (const bad of [
      null,
      "",
      "javascript:alert(1)",
      "http://elsewhere.example.com/file",
      "data:text/html,x",
    ]) {
      expect(downloadAddress(bad, origin)).toBeNull()
    }
  })
})
