/** A change in percent, with its sign, green when it rose and red when it fell. */

import { formatChange } from "../text/numbers"

export function Change({ percent }: { percent: number | null }) {
  return (
    <span className={`change ${directionOf(percent)}`}>
      {percent === null ? <Unknown label="No price" /> : formatChange(percent)}
    </span>
  )
}

export function directionOf(percent: number | null): "up" | "down" | "flat" {
  if (!percent) return "flat"
  return percent > 0 ? "up" : "down"
}

export function Unknown({ label }: { label: string }) {
  return (
    <>
      <span aria-hidden="true" title={label}>
        –
      </span>
      <span className="visually-hidden">{label}</span>
    </>
  )
}
