/** The theme's colours as a canvas needs them: computed values instead of `light-dark()`. */

import { KINDS, type Kind } from "../domain/kinds"

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

/** An `rgb(…)` colour with an alpha channel. */
export function withAlpha(colour: string, alpha: number): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`)
}
