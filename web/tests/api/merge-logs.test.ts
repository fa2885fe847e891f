import { describe, expect, it } from "vitest"
import { mergeLogs } from "../../src/api/merge-logs"
import { aLog } from "../builders"

const ids = (...lists: number[][]) =>
  lists
    .map((list) => list.map(aLog))
    .reduce((known, fetched) => mergeLogs(known, fetched))
    .map((log) => log.id)

describe("log lines from poll to poll", () => {
  it("keep a line once that comes twice, as `since` is inclusive", () => {
    expect(ids([1, 2, 3], [3, 4], [4])).toEqual([1, 2, 3, 4])
  })

  it("stay in order when a line of the same millisecond comes late", () => {
    expect(ids([10, 12], [11, 12, 13])).toEqual([10, 11, 12, 13])
  })

  it("begin with nothing, and stay when nothing is new", () => {
    expect(ids([], [1, 2], [])).toEqual([1, 2])
  })
})
