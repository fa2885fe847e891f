import { useEffect, useRef } from "react"

/** For the button that opened something in its place: it gets the focus back when that is closed. */
export function useFocusAfter<Opener extends HTMLElement>(isOpen: boolean) {
  const opener = useRef<Opener>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return opener
}
