/** The keys of the review queue. */

import { useEffect, useRef } from "react"
import { type Command, commandFor } from "./reviews"

/** Calls `run` for each key that means something, unless it is typed into a field or meant for what has the focus. */
export function useReviewKeys(isOn: boolean, run: (command: Command) => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      const command = commandFor(event)
      if (!command || event.repeat || event.defaultPrevented || isBusyWith(event)) return
      event.preventDefault()
      latest.current(command)
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [isOn])
}

function isBusyWith({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]")) return true
  if (!(target instanceof Element)) return false
  const ownKeys = "input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]"
  const pressable = "a, button, summary, input, [role=option]"
  return target.closest(ownKeys) !== null || (key === "Enter" && target.closest(pressable) !== null)
}
