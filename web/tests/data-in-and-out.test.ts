import { describe, expect, it } from "vitest"
import type { Channel, Export, Note, Settings } from "../src/api/types"
import { costsIn, costsParameter, formatCosts, withPresent } from "../src/record/backtest"
import { lacksWatched, namesOf, watchedFirst } from "../src/record/channels"
import { compareLink } from "../src/record/compare"
import {
  describeChannels,
  describeExpiry,
  describeOffered,
  describeWriting,
  downloadAddress,
  formatBytes,
} from "../src/record/exports"
import { horizonIn, horizonSearch } from "../src/record/horizons"
import { describeMe, isOwn, readDefaults, withChoice } from "../src/record/settings"
import {
  canSave,
  charactersLeft,
  cleanNote,
  describeAuthor,
  describeLeft,
  MAX_NOTE_LENGTH,
  withEdited,
  withNote,
  withoutNote,
} from "../src/record/stock-notes"
import { watchedStocksFirst } from "../src/record/stock-rows"
import { aStock } from "./builders"

describe("a default of the reader's own", () => {
  it("applies where the address names nothing that can be used", () => {
    expect(horizonIn(new URLSearchParams(""), "1y")).toBe("1y")
    expect(horizonIn(new URLSearchParams("horizon=3m"), "1y")).toBe("3m")
    expect(costsIn(new URLSearchParams(""), 33)).toBe(33)
    expect(costsIn(new URLSearchParams("costs=0"), 33)).toBe(0)
    for (const bad of ["costs=", "costs=-1", "costs=1e9", "costs=much"]) {
      expect(costsIn(new URLSearchParams(bad), 33)).toBe(33)
    }
  })

  it("is named by links, so that they show the same to others; and so is the built-in one then", () => {
    expect(horizonSearch("1y", "1y")).toBe("?horizon=1y")
    expect(horizonSearch("3m", "1y")).toBe("?horizon=3m")
    expect(compareLink(["a", "b"], "3m", "1y")).toBe("/compare?channels=a,b&horizon=3m")
    expect([costsParameter(10), costsParameter(10, 25), costsParameter(0)]).toEqual([null, "10", "0"])
  })

  it("survives in the browser only where it can be used", () => {
    expect(readDefaults('{"horizon":"1w","costs":25}')).toEqual({ horizon: "1w", costs: 25 })
    for (const bad of [null, "", "null", "{", "[]", '{"horizon":"9y","costs":"25"}', '{"costs":-1}']) {
      expect(readDefaults(bad)).toEqual({ horizon: "3m", costs: 10 })
    }
  })

  it("is among what a select offers", () => {
    expect(withPresent([0, 10, 25], 7.5)).toEqual([0, 7.5, 10, 25])
    expect(withPresent([0, 10, 25], 10)).toEqual([0, 10, 25])
    expect([formatCosts(0, "en"), formatCosts(7.5, "en")]).toEqual(["none", "0.08%"])
  })
})

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
    expect(describeMe({ user_id: "local", email: null }).name).toBe("local")
    expect(describeMe({ user_id: "owner", email: null }).why).toContain("access token")
    expect(describeMe({ user_id: "8d2f", email: "ann@example.com" }).name).toBe("ann@example.com")
    expect(describeMe({ user_id: "8d2f", email: null }).name).toBe("8d2f")
  })
})

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

describe("a note", () => {
  const note = (id: string, text = "text", version = 1): Note => ({
    id,
    channel_id: "channel",
    ticker: "AAPL",
    text,
    author: "local",
    created_at: "2026-11-17T05:00:00.000Z",
    updated_at: "2026-11-17T05:00:00.000Z",
    version,
  })

  it("keeps its lines and loses what nobody sees", () => {
    expect(cleanNote("  one\r\n\ttwo\u0007\u0000\rthree\n\n")).toBe("one\n\ttwo\nthree")
    expect([canSave(" \u0000\n"), canSave("x")]).toEqual([false, true])
  })

  it("is counted as the server counts, near its end", () => {
    expect(charactersLeft("😀".repeat(10))).toBe(MAX_NOTE_LENGTH - 10)
    expect(canSave("😀".repeat(MAX_NOTE_LENGTH))).toBe(true)
    expect(canSave("x".repeat(MAX_NOTE_LENGTH + 1))).toBe(false)
    expect([describeLeft(501), describeLeft(500, "en"), describeLeft(0, "en")]).toEqual([
      "",
      "500 characters left",
      "0 characters left",
    ])
    expect(describeLeft(-23, "en")).toBe("23 too many: a note has at most 5,000 characters")
  })

  it("names its author", () => {
    const subject = "3f2a9c1e-0000-4000-8000-000000000000"
    expect(["local", "owner", subject, "auth0|7"].map((author) => describeAuthor(author, "owner"))).toEqual([
      "Local user",
      "You",
      "User 3f2a9c1e…",
      "User auth0|7",
    ])
  })

  it("comes first when it is new, and stays in its place when it was changed", () => {
    const pages = [
      { items: [note("c"), note("b")], nextToken: "more" },
      { items: [note("a")], nextToken: null },
    ]
    const ids = (all: typeof pages) => all.map(({ items }) => items.map(({ id }) => id))
    expect(ids(withNote(pages, note("d")))).toEqual([["d", "c", "b"], ["a"]])
    const changed = withNote(pages, note("a", "changed", 2))
    expect(ids(changed)).toEqual([["c", "b"], ["a"]])
    expect(changed[1]?.items[0]?.text).toBe("changed")
    expect(ids(withoutNote(pages, "b"))).toEqual([["c"], ["a"]])
  })
})

describe("a note that is being changed", () => {
  it("stays in its place though it was deleted elsewhere", () => {
    const [one, two, three] = ["1", "2", "3"].map((id) => ({ id }) as Note)
    if (!one || !two || !three) throw new Error()
    expect(withEdited([three, one], [two])).toEqual([three, two, one])
    expect(withEdited([three, one], [one])).toEqual([three, one])
  })
})

describe("what is watched", () => {
  const channels = ["a", "b", "c"].map((id) => ({ id }) as Channel)
  const list = { channel_ids: ["d", "b", "gone"] }

  it("comes before the newest channels, also from later pages, and once", () => {
    const ids = watchedFirst(channels, [...channels, { id: "d" } as Channel], list).map(({ id }) => id)
    expect(ids).toEqual(["d", "b", "a", "c"])
    expect(watchedFirst(channels, [], undefined)).toEqual(channels)
  })

  it("is looked for only where the page lacks it", () => {
    expect(lacksWatched(channels, list)).toBe(true)
    expect(lacksWatched(channels, { channel_ids: ["b"] })).toBe(false)
    expect(lacksWatched(channels, undefined)).toBe(false)
  })

  it("comes before the other stocks, in the order that was chosen", () => {
    const stocks = ["D", "C", "B", "A"].map((ticker) => aStock(ticker))
    const order = watchedStocksFirst(stocks, new Set(["A", "C"])).map(({ ticker }) => ticker)
    expect(order).toEqual(["C", "A", "D", "B"])
  })
})
