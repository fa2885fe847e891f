/** The token that lets this reader change things: asked for when the API wants one, forgotten with the browser tab. */

import { useSyncExternalStore } from "react"

const KEY = "access-token"

interface Question {
  /** Whether a token was given before and the API did not take it. */
  refused: boolean
  answer: (token: string | null) => void
}

let question: Question | null = null
const listeners = new Set<() => void>()

export function storedToken(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Waits for the reader to type a token; null when they would rather not. */
export function askForToken(refused: boolean): Promise<string | null> {
  question?.answer(null)
  return new Promise((resolve) => {
    const answer = (token: string | null) => {
      keep(token)
      question = null
      tell()
      resolve(token)
    }
    question = { refused, answer }
    tell()
  })
}

export function useTokenQuestion(): Question | null {
  return useSyncExternalStore(subscribe, () => question)
}

function keep(token: string | null): void {
  try {
    if (token) sessionStorage.setItem(KEY, token)
    else sessionStorage.removeItem(KEY)
  } catch {
    // Without storage the token serves this one request.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}
