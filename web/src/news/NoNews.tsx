/** Why a list of news is empty, and what to do about it. */

import { Link } from "wouter"
import { EmptyState } from "../components/States"
import { describePeriod, type NewsFilter } from "./news"

const NO_FILTER = { ticker: null, tone: null, since: null, before: null }

interface Props {
  filter: NewsFilter
  /** Headlines that were read and are of another tone. */
  others: number
  onChange: (changes: Record<string, null>) => void
}

export function NoNews({ filter, others, onChange }: Props) {
  const { ticker, tone } = filter
  const period = describePeriod(filter)
  if (!ticker && !tone && !period) {
    return (
      <EmptyState title="No news yet">
        <p className="soft">
          News is collected for stocks that channels mention and that you watch, and shows up here by itself.
          If there is none after a quarter of an hour, check the settings <code>NEWS_PROVIDERS</code> and{" "}
          <code>NEWS_EVERY</code>.
        </p>
        <Link className="button" href="/channels">
          Channels
        </Link>
      </EmptyState>
    )
  }
  const what = ["No", tone, tone ? "headlines" : "news"].filter(Boolean).join(" ")
  return (
    <EmptyState title={`${what}${ticker ? ` about ${ticker}` : ""}${period ? " in this period" : ""}`}>
      <p className="soft">
        {others > 0
          ? "There are headlines of other tones."
          : "News is kept for 30 days, and collected for stocks that channels mention or that you watch."}
      </p>
      {others > 0 ? (
        <button type="button" className="button" onClick={() => onChange({ tone: null })}>
          Show all tones
        </button>
      ) : (
        <button type="button" className="button" onClick={() => onChange(NO_FILTER)}>
          Show all news
        </button>
      )}
    </EmptyState>
  )
}
