/** Light or dark: the system's setting until the reader chooses. */

import { useSyncExternalStore } from "react"

export type Theme = "light" | "dark"

const system = window.matchMedia("(prefers-color-scheme: dark)")
const listeners = new Set<() => void>()

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  if (chosen === "light" || chosen === "dark") return chosen
  return system.matches ? "dark" : "light"
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
