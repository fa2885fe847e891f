/** The verdict at the chosen horizon, why in two sentences, and the four figures it stands on. */

import { Link } from "wouter"
import type { Coverage, HorizonScore, LeaderboardEntry, Scorecard } from "../api/types"
import { commonScale } from "../charts/scale"
import { Whisker } from "../charts/Whisker"
import { BenchmarkNote } from "../components/BenchmarkNote"
import { Icon } from "../components/Icon"
import { Term } from "../components/Term"
import { Verdict } from "../components/Verdict"
import { explainVerdict, isUnchecked, verdictLimits, verdictTone } from "../domain/verdicts"
import { formatChange, formatCount, formatShare, formatShareRange } from "../text/numbers"
import { checkedCaveat, describeChecked } from "./checked-calls"
import { describeVideos, isReadByRules, readingNote } from "./coverage"
import { Figure } from "./Figure"
import { Statistics } from "./Statistics"
import "./VerdictCard.css"
import "./Figure.css"

interface Props {
  figures: HorizonScore
  /** The channel's place in the leaderboard: null without one, undefined until it is known. */
  entry: LeaderboardEntry | null | undefined
  scorecard: Scorecard
  coverage: Coverage
}

export function VerdictCard({ figures, entry, scorecard, coverage }: Props) {
  const isChecked = scorecard.calls === "checked"
  const checked = describeChecked(scorecard.checked)
  const tone = verdictTone(entry?.verdict)
  const interval = {
    mean: figures.mean_excess_percent,
    low: figures.excess_low_percent,
    high: figures.excess_high_percent,
  }
  return (
    <section className="card record" aria-label="Verdict">
      <div className="verdict-head">
        {isChecked && (
          <>
            <p className="checked-title">Over the calls that a person has checked</p>
            <p className="verdict-why">
              {checkedCaveat(figures.calls)} The verdict and the leaderboard are made over all calls.
            </p>
          </>
        )}
        {!isChecked && entry && (
          <>
            <p>
              <Verdict verdict={entry.verdict} large unchecked={isUnchecked(entry)} />
            </p>
            <p className="verdict-why">{explainVerdict(entry, figures.horizon, figures.calls_needed)}</p>
            <ul className="verdict-limits">
              {verdictLimits(entry, figures.horizon).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
              {isUnchecked(entry) && (
                <li>
                  Nobody has checked a random sample of its calls.{" "}
                  <Link className="touch" href={`/channels/${scorecard.channel_id}/review?order=sample`}>
                    Check 20 at random
                  </Link>
                </li>
              )}
            </ul>
          </>
        )}
        {!isChecked && entry === null && <p className="soft">Not on the leaderboard yet</p>}
      </div>
      <dl className="figures">
        <Figure
          term="expected_alpha"
          name="Expected alpha a year"
          value={formatChange(figures.expected_alpha_percent)}
          tone={tone}
        >
          {figures.alpha_percent === null ? (
            "Too early to tell"
          ) : (
            <>
              <Term of="alpha">Measured {formatChange(figures.alpha_percent)}</Term>, less a discount for luck
            </>
          )}
        </Figure>
        <Figure
          term="mean_excess"
          name="Mean excess per call"
          value={formatChange(figures.mean_excess_percent)}
          tone={tone}
        >
          {figures.mean_excess_percent === null ? (
            "Too early to tell"
          ) : (
            <>
              <Whisker {...interval} scale={commonScale([interval])} tone={tone} />
              Median {formatChange(figures.median_excess_percent)}
            </>
          )}
        </Figure>
        <Figure term="base_rate" name="Beat rate" value={formatShare(figures.beat_rate)}>
          {figures.base_beat_rate === null
            ? "Too early to tell"
            : `Base rate of its stocks: ${formatShare(figures.base_beat_rate)}`}
          {figures.beat_rate_low !== null && figures.beat_rate_high !== null && (
            <span className="cell-second">
              95% interval {formatShareRange([figures.beat_rate_low, figures.beat_rate_high])}
            </span>
          )}
        </Figure>
        <Figure term="calls" name="Calls scored" value={formatCount(figures.calls)}>
          <Remaining {...figures} />
        </Figure>
      </dl>
      <Statistics figures={figures} entry={isChecked ? null : entry} />
      <div className="method">
        <Icon name="info" />
        <div>
          <BenchmarkNote benchmark={scorecard.benchmark} asOf={scorecard.as_of} />
          <p>
            {describeVideos(coverage)}.{" "}
            {readingNote({
              ...figures.reading,
              right: figures.reading.right_rate,
              found: figures.reading.found_rate,
            })}{" "}
            {isReadByRules(scorecard.analysts) && <BetterReader />}{" "}
            {checked && (
              <Link className="touch" href={`/channels/${scorecard.channel_id}/review`}>
                {checked}.
              </Link>
            )}{" "}
            <Link className="touch" href="/how-scores-are-made">
              How scores are made
            </Link>
          </p>
        </div>
      </div>
    </section>
  )
}

function BetterReader() {
  return (
    <>
      They were found by rules: a language model finds more and errs less.{" "}
      <Link className="touch" href="/how-scores-are-made">
        Set one up
      </Link>{" "}
      and read the channel again.
    </>
  )
}

/** The calls that have no result, or one of another kind. None of them is left out quietly. */
function Remaining({ pending, unpriced, ended, departed }: HorizonScore) {
  return (
    <span className="remaining">
      <Term of="pending">{formatCount(pending)} pending</Term>
      {unpriced > 0 && <Term of="unpriced">{formatCount(unpriced)} without a price</Term>}
      {departed > 0 && <Term of="departed">{formatCount(departed)} of these left the exchange</Term>}
      {ended > 0 && <Term of="ended">{formatCount(ended)} stopped trading</Term>}
    </span>
  )
}
