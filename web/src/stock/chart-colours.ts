/** The theme's colours as a canvas wants them: computed, where the style sheet has `light-dark()`. */

import { KINDS, type Kind } from "../record/kinds"

export type ChartColours = Record<Kind | "ink" | "soft" | "line" | "card", string>

export function chartColours(place: HTMLElement): ChartColours {
  const probe = document.createElement("span")
  probe.hidden = true
  place.append(probe)
  const read = (name: string) => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const plain = (["ink", "soft", "line", "card"] as const).map((name) => [name, read(name)])
  const marks = KINDS.map((kind) => {
    probe.className = kind
    return [kind, read("mark")]
  })
  probe.remove()
  return Object.fromEntries([...plain, ...marks])
}

/** A colour `rgb(…)` at part strength. */
export function faint(colour: string, strength: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${strength})`)
}
