/** Price changes and hit rates. */

/** In percent; null when either price is unknown or zero, as the API has it. */
export function changePercent(then: number | null, now: number | null): number | null {
  return then && now ? ((now - then) / then) * 100 : null
}

/** Wilson's 95 % confidence interval of a share, for independent trials. */
export function shareInterval(hits: number, trials: number): [number, number] | null {
  if (!trials) return null
  const z = 1.959964
  const share = hits / trials
  const centre = share + (z * z) / (2 * trials)
  const margin = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))
  const whole = 1 + (z * z) / trials
  return [Math.max(0, (centre - margin) / whole), Math.min(1, (centre + margin) / whole)]
}
