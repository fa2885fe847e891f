/** Short messages about what has just happened. */

import { useSyncExternalStore } from "react"

export interface Notice {
  number: number
  message: string
  isError: boolean
}

const SECONDS = 6
let notice: Notice | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function notify(message: string, { isError = false } = {}): void {
  show({ number: (notice?.number ?? 0) + 1, message, isError })
  clearTimeout(timer)
  // An error stays until it is dismissed.
  if (!isError) timer = setTimeout(() => show(null), SECONDS * 1000)
}

export function dismiss(): void {
  show(null)
}

export function useNotice(): Notice | null {
  return useSyncExternalStore(subscribe, () => notice)
}

function show(next: Notice | null): void {
  notice = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
