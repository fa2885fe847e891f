/** The figures of several channels, a column each. */

import type { ReactNode } from "react"
import { Link } from "wouter"
import type { Channel, Horizon, HorizonScore, LeaderboardEntry } from "../api/types"
import { BeatRate } from "../charts/BeatRate"
import { commonScale } from "../charts/scale"
import { Whisker } from "../charts/Whisker"
import { useDefaults } from "../components/defaults"
import { Scroller } from "../components/Scroller"
import { Term } from "../components/Term"
import { Unknown } from "../components/Unknown"
import { Verdict } from "../components/Verdict"
import type { Term as TermName } from "../domain/definitions"
import { horizonSearch } from "../domain/horizons"
import { isUnchecked, verdictTone } from "../domain/verdicts"
import { withoutDemoSuffix } from "../text/demo"
import { formatChange, formatCount, formatNumber, formatProbability, formatShare } from "../text/numbers"
import "./CompareTable.css"
import "../charts/Whisker.css"

export interface Compared {
  channel: Channel
  /** Undefined until it is loaded. */
  figures: HorizonScore | undefined
  /** Its place in the leaderboard: null without one, undefined until it is known. */
  entry: LeaderboardEntry | null | undefined
}

type Cell = (compared: Compared, figures: HorizonScore) => ReactNode

interface Props {
  compared: readonly Compared[]
  horizon: Horizon
}

export function CompareTable({ compared, horizon }: Props) {
  const { horizon: own } = useDefaults()
  const scale = commonScale(compared.map(({ figures }) => interval(figures)))
  return (
    <Scroller label="Figures side by side">
      <table className="grid-table compare-table">
        <caption className="visually-hidden">Figures side by side</caption>
        <thead>
          <tr>
            <td />
            {compared.map(({ channel }) => (
              <th key={channel.id} scope="col" dir="auto">
                <Link className="touch" href={`/channels/${channel.id}${horizonSearch(horizon, own)}`}>
                  {withoutDemoSuffix(channel.name)}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows(scale).map(([term, label, cell]) => (
            <tr key={label}>
              <th scope="row">
                <Term of={term}>{label}</Term>
              </th>
              {compared.map((each) => (
                <td key={each.channel.id} data-term={term}>
                  {each.figures ? cell(each, each.figures) : <Unknown label="Loading" />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

function rows(scale: [number, number] | null): [TermName, string, Cell][] {
  return [
    ["verdict", "Verdict", ({ entry }) => verdict(entry)],
    [
      "expected_alpha",
      "Expected alpha a year",
      ({ entry }, figures) => (
        <span className={`strong ${verdictTone(entry?.verdict)}`}>
          {percent(figures.expected_alpha_percent)}
        </span>
      ),
    ],
    [
      "mean_excess",
      "Mean excess per call",
      ({ entry }, figures) => (
        <span className="excess">
          <span>{percent(figures.mean_excess_percent)}</span>
          <Whisker {...interval(figures)} scale={scale} tone={verdictTone(entry?.verdict)} />
        </span>
      ),
    ],
    ["median_excess", "Median excess", (_, figures) => percent(figures.median_excess_percent)],
    [
      "beat_rate",
      "Beat rate",
      (_, figures) => <BeatRate rate={figures.beat_rate} base={figures.base_beat_rate} />,
    ],
    ["mean_return", "Mean return", (_, figures) => percent(figures.mean_return_percent)],
    ["alpha", "Alpha a year, measured", (_, { alpha_percent, alpha_t }) => alpha(alpha_percent, alpha_t)],
    ["beta", "Beta", (_, { beta }) => number(beta)],
    ["placebo", "On other days", (_, { placebo_p_value }) => probability(placebo_p_value)],
    ["run_up", "Run-up before calls", (_, { run_up_percent }) => percent(run_up_percent)],
    ["follows_news", "Follows the news", (_, { follows_news_rate }) => share(follows_news_rate)],
    [
      "without_best",
      "Without its best stock",
      (_, { without_best_ticker }) => percent(without_best_ticker?.mean_excess_percent ?? null),
    ],
    ["calls", "Calls scored", (_, { calls }) => formatCount(calls)],
    ["pending", "Pending", (_, { pending }) => formatCount(pending)],
  ]
}

function verdict(entry: Compared["entry"]): ReactNode {
  if (entry === undefined) return <Unknown label="Loading" />
  if (entry === null) return <span className="soft">Not on the leaderboard yet</span>
  return <Verdict verdict={entry.verdict} unchecked={isUnchecked(entry)} />
}

function percent(value: number | null): ReactNode {
  return value === null ? <Unknown label="Too early to tell" /> : formatChange(value)
}

function number(value: number | null): ReactNode {
  return value === null ? <Unknown label="Too early to tell" /> : formatNumber(value)
}

function probability(value: number | null): ReactNode {
  return value === null ? <Unknown label="Too early to tell" /> : formatProbability(value)
}

function share(value: number | null): ReactNode {
  return value === null ? <Unknown label="No news for this period" /> : formatShare(value)
}

function alpha(value: number | null, t: number | null): ReactNode {
  if (value === null) return <Unknown label="Too early to tell" />
  return (
    <>
      {formatChange(value)} <span className="soft">t {formatNumber(t, 1)}</span>
    </>
  )
}

function interval(figures: HorizonScore | undefined) {
  return {
    mean: figures?.mean_excess_percent ?? null,
    low: figures?.excess_low_percent ?? null,
    high: figures?.excess_high_percent ?? null,
  }
}
