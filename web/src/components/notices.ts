/** Short messages about what has just happened. */

import { useSyncExternalStore } from "react"

export interface Notice {
  number: number
  message: string
  isError: boolean
  /** An action to offer, such as undo. */
  action: Action | null
}

interface Action {
  label: string
  run: () => void
}

const SECONDS = 6
/** There is more to decide about. */
const SECONDS_WITH_ACTION = 12
let notice: Notice | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

interface Options {
  isError?: boolean
  action?: Action | null
}

export function notify(message: string, { isError = false, action = null }: Options = {}): void {
  show({ number: (notice?.number ?? 0) + 1, message, isError, action })
  clearTimeout(timer)
  // An error stays until it is dismissed.
  if (!isError) timer = setTimeout(() => show(null), (action ? SECONDS_WITH_ACTION : SECONDS) * 1000)
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
