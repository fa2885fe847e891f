/** The definitions of the figures, and the tip that shows one beside whatever has a `data-term`. */

import { useEffect, useLayoutEffect, useRef, useState } from "react"
import { DEFINITIONS, type Term } from "../domain/definitions"
import "./Definitions.css"

interface Shown {
  term: Term
  element: Element
}

const GAP = 8

export function definitionId(term: Term): string {
  return `definition-${term}`
}

export function Definitions() {
  const [shown, setShown] = useState<Shown | null>(null)
  const tip = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const show = (event: Event) => setShown(termAt(event.target))
    const hide = () => setShown(null)
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide()
    document.addEventListener("pointerover", show)
    document.addEventListener("focusin", show)
    document.addEventListener("focusout", hide)
    document.addEventListener("keydown", onKey)
    window.addEventListener("scroll", hide, { passive: true, capture: true })
    return () => {
      document.removeEventListener("pointerover", show)
      document.removeEventListener("focusin", show)
      document.removeEventListener("focusout", hide)
      document.removeEventListener("keydown", onKey)
      window.removeEventListener("scroll", hide, { capture: true })
    }
  }, [])

  useLayoutEffect(() => {
    if (tip.current && shown) place(tip.current, shown.element)
  }, [shown])

  return (
    <>
      <div hidden>
        {Object.entries(DEFINITIONS).map(([term, text]) => (
          <p key={term} id={definitionId(term as Term)}>
            {text}
          </p>
        ))}
      </div>
      {shown && (
        <div ref={tip} className="definition" role="tooltip">
          {DEFINITIONS[shown.term]}
        </div>
      )}
    </>
  )
}

function termAt(target: EventTarget | null): Shown | null {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-term]") : null
  const term = element?.dataset.term
  return element && term && Object.hasOwn(DEFINITIONS, term) ? { term: term as Term, element } : null
}

/** Below the element, or above it where there is no room; never beyond the window. */
function place(tip: HTMLElement, element: Element): void {
  const target = element.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = tip
  const left = target.left + target.width / 2 - width / 2
  const below = target.bottom + GAP
  tip.style.left = `${Math.max(GAP, Math.min(left, document.documentElement.clientWidth - width - GAP))}px`
  tip.style.top = `${below + height > window.innerHeight ? Math.max(GAP, target.top - height - GAP) : below}px`
}
