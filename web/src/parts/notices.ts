/** Short messages on what has just been done. */

import { useSyncExternalStore } from "react"

export interface Notice {
  number: number
  sentence: string
  problem: boolean
}

const SECONDS = 6
let notice: Notice | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export function notify(sentence: string, { problem = false } = {}): void {
  show({ number: (notice?.number ?? 0) + 1, sentence, problem })
  clearTimeout(timer)
  // A problem stays until it is dismissed.
  if (!problem) timer = setTimeout(() => show(null), SECONDS * 1000)
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
