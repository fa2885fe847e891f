/** The reader's own defaults. They are kept in the browser, so that a page opens with them before the server is asked. */

import { useSyncExternalStore } from "react"
import type { Settings } from "../api/types"
import { BUILT_IN, type Defaults, readDefaults } from "../domain/settings"

const KEY = "defaults"
const listeners = new Set<() => void>()
let defaults = readKept()

export function useDefaults(): Defaults {
  return useSyncExternalStore(
    subscribe,
    () => defaults,
    () => BUILT_IN,
  )
}

export function keepDefaults({ horizon, cost_bps: costs }: Pick<Settings, "horizon" | "cost_bps">): void {
  if (horizon === defaults.horizon && costs === defaults.costs) return
  defaults = { horizon, costs }
  try {
    localStorage.setItem(KEY, JSON.stringify(defaults))
  } catch {
    // They then last until the page is closed.
  }
  for (const listener of listeners) listener()
}

function readKept(): Defaults {
  try {
    return readDefaults(localStorage.getItem(KEY))
  } catch {
    return BUILT_IN
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
