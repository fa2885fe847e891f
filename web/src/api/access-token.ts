/** The token that authorises changes: requested when the API asks for one, kept until the tab is closed. */

import { useSyncExternalStore } from "react"

const KEY = "access-token"

interface TokenRequest {
  /** True if the API rejected the token given before. */
  rejected: boolean
  /** Called with the token, or with null when the dialog is dismissed. */
  submit: (token: string | null) => void
}

let pending: TokenRequest | null = null
const listeners = new Set<() => void>()

export function storedToken(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Opens the token dialog; resolves to null when it is dismissed. */
export function requestToken(rejected: boolean): Promise<string | null> {
  pending?.submit(null)
  return new Promise((resolve) => {
    const submit = (token: string | null) => {
      store(token)
      pending = null
      notifyListeners()
      resolve(token)
    }
    pending = { rejected, submit }
    notifyListeners()
  })
}

export function useTokenRequest(): TokenRequest | null {
  return useSyncExternalStore(subscribe, () => pending)
}

/** The token that is kept, also after it changes. */
export function useStoredToken(): string | null {
  return useSyncExternalStore(subscribe, storedToken)
}

function store(token: string | null): void {
  try {
    if (token) sessionStorage.setItem(KEY, token)
    else sessionStorage.removeItem(KEY)
  } catch {
    // Without storage the token is used for this one request.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notifyListeners(): void {
  for (const listener of listeners) listener()
}
