/** The tone, the stock and the period of a list of news. */

import { useEffect, useId, useState } from "react"
import { Icon } from "../components/Icon"
import { ToneShape } from "./NewsTone"
import { describePeriod, type NewsFilter, TONE_LABELS, TONES, tickerIn } from "./news"
import "./NewsFilters.css"

interface Props {
  filter: NewsFilter
  onChange: (changes: Record<string, string | null>) => void
}

export function NewsFilters({ filter, onChange }: Props) {
  const period = describePeriod(filter)
  return (
    <search className="filters news-filters">
      <fieldset className="segments small">
        <legend className="visually-hidden">Show this tone</legend>
        {[null, ...TONES].map((tone) => (
          <label key={tone ?? "all"}>
            <input
              type="radio"
              name="tone"
              checked={filter.tone === tone}
              onChange={() => onChange({ tone })}
            />
            <span>
              {tone && <ToneShape tone={tone} />}
              {tone ? TONE_LABELS[tone] : "All"}
            </span>
          </label>
        ))}
      </fieldset>
      <StockField ticker={filter.ticker} onTicker={(ticker) => onChange({ ticker })} />
      {period && (
        <button
          type="button"
          className="button period"
          aria-label={`${period}: show all days`}
          onClick={() => onChange({ since: null, before: null })}
        >
          {period}
          <Icon name="close" />
        </button>
      )}
    </search>
  )
}

interface StockFieldProps {
  ticker: string | null
  onTicker: (ticker: string | null) => void
}

/** Applied on Enter, and when it is left or cleared. */
function StockField({ ticker, onTicker }: StockFieldProps) {
  const [typed, setTyped] = useState(ticker ?? "")
  const [field, help] = [useId(), useId()]
  useEffect(() => setTyped(ticker ?? ""), [ticker])
  const isWrong = typed.trim() !== "" && tickerIn(typed) === null
  const apply = () => {
    if (!isWrong && tickerIn(typed) !== ticker) onTicker(tickerIn(typed))
  }
  return (
    <form
      className="filter"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <label htmlFor={field}>Stock</label>
      <input
        id={field}
        className="field"
        type="search"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        maxLength={16}
        placeholder="Any ticker"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? help : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          if (!event.target.value && ticker) onTicker(null)
        }}
        onBlur={apply}
      />
      {isWrong && (
        <span id={help} className="visually-hidden">
          Not a ticker
        </span>
      )}
    </form>
  )
}
