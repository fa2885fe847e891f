/** Log lines collected over several polls. */

import type { Log } from "./types"

/** `since` is inclusive, so the newest known lines are fetched again: each line is kept once, oldest first. */
export function mergeLogs(known: readonly Log[], fetched: readonly Log[]): Log[] {
  const newest = known.at(-1)?.id ?? Number.NEGATIVE_INFINITY
  if (fetched.every((log) => log.id > newest)) return [...known, ...fetched]
  const byId = new Map([...known, ...fetched].map((log) => [log.id, log]))
  return [...byId.values()].sort((one, other) => one.id - other.id)
}
