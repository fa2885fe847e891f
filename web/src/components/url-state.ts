import { useSearchParams } from "wouter"

/** The search parameters of the URL, and a function that replaces some of them; null or "" removes one. */
export function useUrlState(): [URLSearchParams, (changes: Record<string, string | null>) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (changes: Record<string, string | null>) =>
    setSearch(
      (current) => {
        for (const [name, value] of Object.entries(changes)) {
          if (value) current.set(name, value)
          else current.delete(name)
        }
        return current
      },
      { replace: true },
    )
  return [search, change]
}
