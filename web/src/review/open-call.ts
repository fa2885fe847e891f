/** The call whose reading is being looked at, on whichever page it is shown. */

import { useSyncExternalStore } from "react"
import type { CallPlace } from "../api/evidence-queries"

let shown: CallPlace | null = null
const listeners = new Set<() => void>()

export function openCall(place: CallPlace | null): void {
  shown = place
  for (const listener of listeners) listener()
}

export function useOpenCall(): CallPlace | null {
  return useSyncExternalStore(subscribe, () => shown)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
