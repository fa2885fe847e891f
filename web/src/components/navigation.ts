/** Moving between pages: the title, the scroll position, and the focus on the heading for screen readers. */

import { useEffect, useRef } from "react"

let isFirstPage = true
let isGoingBack = false
window.addEventListener("popstate", () => {
  isGoingBack = true
})

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title ? `${title} · Stock Track Record` : "Stock Track Record"
  }, [title])
}

/** For the page's heading. On going back, the browser restores the scroll position itself. */
export function useHeadingFocus<Heading extends HTMLElement>() {
  const heading = useRef<Heading>(null)
  useEffect(() => {
    if (!isFirstPage && !isGoingBack) {
      window.scrollTo(0, 0)
      heading.current?.focus({ preventScroll: true })
    }
    isFirstPage = false
    isGoingBack = false
  }, [])
  return heading
}
