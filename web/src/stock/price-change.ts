/** Price changes. */

/** In percent; null when either price is unknown or zero, as the API has it. */
export function changePercent(then: number | null, now: number | null): number | null {
  return then && now ? ((now - then) / then) * 100 : null
}
