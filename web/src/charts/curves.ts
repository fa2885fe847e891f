/** Curves of what following a channel would have made, on one axis of days. */

export interface CurvePoint {
  date: string
  value: number
}

export interface Curve {
  label: string
  points: readonly CurvePoint[]
}

/** The curves from the first day that all of them cover, each beginning there at 100. Empty ones are left out. */
export function fromCommonStart(curves: readonly Curve[]): Curve[] {
  const drawn = curves.filter(({ points }) => points.length > 0)
  const start = drawn
    .map(({ points }) => points[0]?.date ?? "")
    .sort()
    .at(-1)
  if (start === undefined) return []
  return drawn.map(({ label, points }) => {
    const rest = points.filter(({ date }) => date >= start)
    const first = rest[0]?.value
    return {
      label,
      points: first ? rest.map(({ date, value }) => ({ date, value: (value * 100) / first })) : [],
    }
  })
}
