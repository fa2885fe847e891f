/** A sceptic's questions: does it chase, does one stock carry it, does the entry matter, how many calls would it take? */

import type { ReactNode } from "react"
import type { HorizonScore } from "../api/types"
import { commonScale, share } from "../charts/scale"
import { Term } from "../components/Term"
import type { Term as TermName } from "../domain/definitions"
import { formatChange, formatCount, formatProbability, formatShare } from "../text/numbers"
import {
  describeCallsNeeded,
  describeEntries,
  describeFollowsNews,
  describePlacebo,
  describeRunUp,
  describeWithoutBest,
} from "./robustness"
import "./Robustness.css"

export function Robustness({ figures }: { figures: HorizonScore }) {
  const { run_up_percent, without_best_ticker: without, calls_needed, placebo_p_value } = figures
  return (
    <section className="card panel" aria-label="Is it more than luck?">
      <h2 className="section-title">What a sceptic asks</h2>
      <div className="questions">
        <Question term="placebo" name="Other days" value={formatProbability(placebo_p_value)}>
          {describePlacebo(figures)}
        </Question>
        <Question term="run_up" name="Run-up before the call" value={formatChange(run_up_percent)}>
          {describeRunUp(run_up_percent)}
        </Question>
        <Question term="follows_news" name="Follows the news" value={formatShare(figures.follows_news_rate)}>
          {describeFollowsNews(figures.follows_news_rate)}
        </Question>
        <Question
          term="without_best"
          name="Without its best stock"
          value={formatChange(without?.mean_excess_percent ?? null)}
        >
          {describeWithoutBest(figures)}
        </Question>
        <Question
          term="calls_needed"
          name="Calls needed"
          value={calls_needed === null ? "–" : formatCount(calls_needed)}
        >
          {describeCallsNeeded(figures)}
        </Question>
      </div>
      <Entries figures={figures} />
    </section>
  )
}

interface QuestionProps {
  term: TermName
  name: string
  value: string
  children: ReactNode
}

function Question({ term, name, value, children }: QuestionProps) {
  return (
    <dl className="question" data-term={term}>
      <dt>
        <Term of={term}>{name}</Term>
      </dt>
      <dd>
        <span className="question-value">{value}</span>
        <span className="soft">{children}</span>
      </dd>
    </dl>
  )
}

const ENTRIES = [
  ["before_publication", "Last close before the video"],
  ["ours", "First close after it (ours)"],
  ["one_session_later", "One session later"],
  ["five_sessions_later", "Five sessions later"],
] as const

function Entries({ figures: { entry_sensitivity: entries } }: { figures: HorizonScore }) {
  const scale = commonScale(ENTRIES.map(([name]) => ({ low: null, mean: entries[name], high: null })))
  const x = (value: number) => (scale ? share(value, ...scale) * 100 : 0)
  return (
    <div className="entries" data-term="entry_sensitivity">
      <h3>
        <Term of="entry_sensitivity">Mean excess by entry</Term>
      </h3>
      <p className="soft">{describeEntries(entries)}</p>
      <dl>
        {ENTRIES.map(([name, label]) => {
          const value = entries[name]
          return (
            <div key={name} className={name === "ours" ? "ours" : ""}>
              <dt>{label}</dt>
              <dd>
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
                  {value !== null && (
                    <rect x={Math.min(x(0), x(value))} width={Math.abs(x(value) - x(0))} y="1" height="8" />
                  )}
                  <line x1={x(0)} x2={x(0)} y1="0" y2="10" />
                </svg>
                <span className="number">{formatChange(value)}</span>
              </dd>
            </div>
          )
        })}
      </dl>
    </div>
  )
}
