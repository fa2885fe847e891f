/** Linear scales for the drawings. */

/** Where a value lies between two others, from 0 to 1, held within. */
export function share(value: number, low: number, high: number): number {
  if (high <= low) return 0.5
  return Math.max(0, Math.min(1, (value - low) / (high - low)))
}

/** Round numbers within a range, a few of them. */
export function ticks(low: number, high: number, about = 5): number[] {
  const span = high - low
  if (!(span > 0)) return [low]
  const rough = span / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough
  const first = Math.ceil(low / step)
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step)
}

/** One scale for the intervals of several rows, with zero in it. Null where no row has a value. */
export function commonScale(
  rows: readonly { low: number | null; mean: number | null; high: number | null }[],
): [number, number] | null {
  const values = rows.flatMap(({ low, mean, high }) => [low, mean, high]).filter((each) => each !== null)
  if (!values.length) return null
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const margin = (high - low || 1) * 0.04
  return [low - margin, high + margin]
}
