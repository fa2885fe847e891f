/** Arriving on a page: its title, the top of it, and the focus on its heading for those who do not see it change. */

import { useEffect, useRef } from "react"

let first = true
let goingBack = false
window.addEventListener("popstate", () => {
  goingBack = true
})

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Stock Track Record` : "Stock Track Record"
  }, [title])
}

/** For the page's heading. After going back, the browser restores the place the reader was at. */
export function useArrival<Heading extends HTMLElement>() {
  const heading = useRef<Heading>(null)
  useEffect(() => {
    if (!first && !goingBack) {
      window.scrollTo(0, 0)
      heading.current?.focus({ preventScroll: true })
    }
    first = false
    goingBack = false
  }, [])
  return heading
}
