/** Light or dark: the system's setting until the reader chooses. */

import { useSyncExternalStore } from "react"

export type Theme = "light" | "dark"

const system = window.matchMedia("(prefers-color-scheme: dark)")
const listeners = new Set<() => void>()

export function currentTheme(): Theme {
  return chosenTheme() ?? (system.matches ? "dark" : "light")
}

export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem("theme", theme)
  } catch {
    // The choice then lasts until the page is closed.
  }
  for (const listener of listeners) listener()
}

/** Goes back to the system's setting. */
export function followSystem(): void {
  delete document.documentElement.dataset.theme
  try {
    localStorage.removeItem("theme")
  } catch {
    // Nothing was kept.
  }
  for (const listener of listeners) listener()
}

export function chosenTheme(): Theme | null {
  const chosen = document.documentElement.dataset.theme
  return chosen === "light" || chosen === "dark" ? chosen : null
}

/** The theme the reader chose; null follows the system. */
export function useChosenTheme(): Theme | null {
  return useSyncExternalStore(subscribe, chosenTheme)
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, currentTheme)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  system.addEventListener("change", listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener("change", listener)
  }
}
