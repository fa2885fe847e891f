import { describe, expect, it } from "vitest"
import type { Note } from "../../src/api/types"
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
} from "../../src/notes/stock-notes"

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
