/** A change in percent: its sign and its colour say the same. */

import { formatChange } from "../text/numbers"

export function Change({ percent }: { percent: number | null }) {
  return (
    <span className={`change ${directionOf(percent)}`}>
      {percent === null ? <Unknown what="Change unknown" /> : formatChange(percent)}
    </span>
  )
}

export function directionOf(percent: number | null): "up" | "down" | "flat" {
  if (!percent) return "flat"
  return percent > 0 ? "up" : "down"
}

export function Unknown({ what }: { what: string }) {
  return (
    <>
      <span aria-hidden="true" title={what}>
        –
      </span>
      <span className="visually-hidden">{what}</span>
    </>
  )
}
