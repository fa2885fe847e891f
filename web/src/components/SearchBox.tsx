/** Finds channels and stocks by name. The arrow keys go through what is found, Enter opens it, Escape closes it. */

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react"
import { useLocation } from "wouter"
import { searchQuery } from "../api/score-queries"
import type { SearchResults } from "../api/types"
import { withoutDemoSuffix } from "../text/demo"
import { Icon } from "./Icon"
import "./SearchBox.css"

const WAIT_MILLISECONDS = 200

interface Result {
  href: string
  label: string
  note: string
}

export function SearchBox() {
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState("")
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const list = useId()
  const field = useRef<HTMLInputElement>(null)
  const text = useSettled(typed.trim())
  const found = useQuery({ ...searchQuery(text), placeholderData: keepPreviousData })
  const results = text && typed.trim() ? resultsOf(found.data) : []
  const isShown = isOpen && typed.trim() !== "" && (results.length > 0 || found.isFetched)

  // Results lag the text by the debounce.
  const isCurrent = text === typed.trim() && !found.isPlaceholderData
  const open = (result: Result | undefined) => {
    if (!result) return
    navigate(result.href)
    setTyped("")
    setOpen(false)
    field.current?.blur()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setOpen(false)
    if (event.key === "Enter") {
      event.preventDefault()
      if (isCurrent) open(results[active])
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
    event.preventDefault()
    setOpen(true)
    if (results.length)
      setActive((active + (event.key === "ArrowDown" ? 1 : results.length - 1)) % results.length)
  }
  return (
    <search className="search">
      <Icon name="search" />
      <input
        ref={field}
        className="field"
        type="search"
        role="combobox"
        aria-label="Search channels and stocks"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={list}
        aria-activedescendant={isShown && results.length ? `${list}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setActive(0)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div id={list} className="found" role="listbox" aria-label="Found" hidden={!isShown}>
        {results.map((result, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys.
          <div
            key={result.href}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Before the field loses the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => open(result)}
          >
            <bdi>{result.label}</bdi> <span className="soft">{result.note}</span>
          </div>
        ))}
        {isShown && !results.length && (
          <div className="soft" role="option" aria-selected="false" aria-disabled="true" tabIndex={-1}>
            Nothing found
          </div>
        )}
      </div>
    </search>
  )
}

function resultsOf(found: SearchResults | undefined): Result[] {
  if (!found) return []
  return [
    ...found.channels.map(({ id, name }) => ({
      href: `/channels/${id}`,
      label: withoutDemoSuffix(name),
      note: "Channel",
    })),
    ...found.stocks.map(({ ticker, name }) => ({
      href: `/stocks/${encodeURIComponent(ticker)}`,
      label: ticker,
      note: name ?? "Stock",
    })),
  ]
}

/** Returns the text once typing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
