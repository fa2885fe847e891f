/** How far a price has moved. */

/** In percent; null when either price is unknown or zero, as the API has it. */
export function changePercent(then: number | null, now: number | null): number | null {
  return then && now ? ((now - then) / then) * 100 : null
}

export function mean(values: readonly number[]): number | null {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null
}

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = sorted.length >> 1
  if (sorted.length % 2) return sorted[middle] ?? null
  return mean(sorted.slice(middle - 1, middle + 1))
}

/** Between which shares the true one lies with 95 % confidence, were the trials independent (Wilson's interval). */
export function shareInterval(hits: number, trials: number): [number, number] | null {
  if (!trials) return null
  const z = 1.959964
  const share = hits / trials
  const centre = share + (z * z) / (2 * trials)
  const margin = z * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials))
  const whole = 1 + (z * z) / trials
  return [Math.max(0, (centre - margin) / whole), Math.min(1, (centre + margin) / whole)]
}
