import { useLayoutEffect, useRef, useState } from "react"

/** The width of an element in pixels, 0 until it is measured. */
export function useWidth<Measured extends HTMLElement>() {
  const element = useRef<Measured>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth))
    observer.observe(measured)
    setWidth(measured.clientWidth)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
