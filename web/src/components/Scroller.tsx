import type { ReactNode } from "react"

/** Holds a table that may be wider than the screen: it scrolls by itself, with the keyboard too. */
export function Scroller({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus the arrow keys could not scroll it.
    <section className="scroller" aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
