/** Looks entries up by day. */

/** The entry of a day, or the last before it. */
export function lastUntil<Entry extends { date: string }>(
  entries: readonly Entry[],
  day: string,
): Entry | null {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.date ?? "") <= day) low = middle + 1
    else high = middle
  }
  return entries[low - 1] ?? null
}
