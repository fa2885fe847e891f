/** The channels by what came of their calls. On a phone each row becomes a card; the roles keep it a table. */

import { Link } from "wouter"
import { isRunning } from "../api/queries"
import type { Horizon, LeaderboardEntry } from "../api/types"
import { BeatRate } from "../charts/BeatRate"
import { commonScale } from "../charts/scale"
import { Whisker } from "../charts/Whisker"
import { Avatar } from "../components/Avatar"
import { DemoBadge, StatusBadge } from "../components/Badges"
import { useDefaults } from "../components/defaults"
import { Term } from "../components/Term"
import { Unknown } from "../components/Unknown"
import { Verdict } from "../components/Verdict"
import type { Term as TermName } from "../domain/definitions"
import { horizonSearch } from "../domain/horizons"
import { isUnchecked, verdictTone } from "../domain/verdicts"
import { isDemo, withoutDemoSuffix } from "../text/demo"
import { formatChange, formatCount } from "../text/numbers"
import "./LeaderboardTable.css"
import "../channel/ChannelCard.css"
import "../charts/Whisker.css"

interface Props {
  entries: readonly LeaderboardEntry[]
  horizon: Horizon
  /** The ids of the channels chosen for a comparison. */
  chosen: readonly string[]
  onChoose: (id: string, isChosen: boolean) => void
  /** True if no further channel can be chosen. */
  isFull: boolean
}

const COLUMNS: [TermName, string, string][] = [
  ["verdict", "Verdict", ""],
  ["expected_alpha", "Expected alpha", "number"],
  ["mean_excess", "Mean excess per call", ""],
  ["beat_rate", "Beat rate", ""],
  ["calls", "Calls", "number"],
]

export function LeaderboardTable({ entries, horizon, chosen, onChoose, isFull }: Props) {
  const scale = commonScale(entries.map(interval))
  const ranked = entries.filter(({ rank }) => rank !== null)
  const unranked = entries.filter(({ rank }) => rank === null)
  return (
    <table className="leaderboard" role="table">
      <caption className="visually-hidden">Channels by expected alpha</caption>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader" className="number">
            <span className="visually-hidden">Rank</span>#
          </th>
          <th scope="col" role="columnheader">
            Channel
          </th>
          {COLUMNS.map(([term, label, className]) => (
            <th key={term} scope="col" role="columnheader" className={className}>
              <Term of={term}>{label}</Term>
            </th>
          ))}
          <th scope="col" role="columnheader" className="cell-compare">
            Compare
          </th>
        </tr>
      </thead>
      {[ranked, unranked].map(
        (group) =>
          group.length > 0 && (
            <tbody key={group === ranked ? "ranked" : "unranked"} role="rowgroup">
              {group === unranked && ranked.length > 0 && (
                <tr role="row" className="group">
                  <th scope="row" role="rowheader" colSpan={8}>
                    Not ranked: too few calls, or too few days, to judge
                  </th>
                </tr>
              )}
              {group.map((entry) => (
                <Row
                  key={entry.channel.id}
                  entry={entry}
                  horizon={horizon}
                  scale={scale}
                  isChosen={chosen.includes(entry.channel.id)}
                  isFull={isFull}
                  onChoose={onChoose}
                />
              ))}
            </tbody>
          ),
      )}
    </table>
  )
}

interface RowProps extends Pick<Props, "horizon" | "onChoose" | "isFull"> {
  entry: LeaderboardEntry
  scale: [number, number] | null
  isChosen: boolean
}

function Row({ entry, horizon, scale, isChosen, isFull, onChoose }: RowProps) {
  const { horizon: own } = useDefaults()
  const { channel, rank, verdict } = entry
  const demo = isDemo(channel)
  const name = demo ? withoutDemoSuffix(channel.name) : channel.name
  const tone = verdictTone(verdict)
  return (
    <tr role="row">
      <td role="cell" className="number cell-rank">
        {rank === null ? <Unknown label="Not ranked" /> : formatCount(rank)}
      </td>
      <th scope="row" role="rowheader" className="cell-channel">
        <span className="channel-cell">
          <Avatar channel={channel} />
          <span className="channel-text">
            <Link
              href={`/channels/${channel.id}${horizonSearch(horizon, own)}`}
              title={channel.name}
              dir="auto"
            >
              {name}
            </Link>
            {(demo || isRunning(channel)) && (
              <span className="badges">
                {demo && <DemoBadge />}
                {isRunning(channel) && <StatusBadge status={channel.status} />}
              </span>
            )}
          </span>
        </span>
      </th>
      <td role="cell" className="cell-verdict" data-term="verdict">
        <Verdict verdict={verdict} unchecked={isUnchecked(entry)} />
      </td>
      <td role="cell" className="number cell-alpha" data-term="expected_alpha">
        <Label>Expected alpha</Label>
        {entry.expected_alpha_percent === null ? (
          <Unknown label="Too early to tell" />
        ) : (
          <span className={rank === null ? "soft" : `strong ${tone}`}>
            {formatChange(entry.expected_alpha_percent)}
          </span>
        )}
      </td>
      <td role="cell" className="cell-excess" data-term="mean_excess">
        <Label>Mean excess</Label>
        {entry.mean_excess_percent === null ? (
          <Unknown label="Too early to tell" />
        ) : (
          <span className="excess">
            <span className={tone}>{formatChange(entry.mean_excess_percent)}</span>
            <Whisker {...interval(entry)} scale={scale} tone={tone} />
          </span>
        )}
      </td>
      <td role="cell" className="cell-beat" data-term="base_rate">
        <Label>Beat rate</Label>
        <BeatRate rate={entry.beat_rate} base={entry.base_beat_rate} />
      </td>
      <td role="cell" className="number cell-calls" data-term="pending">
        <span>
          {formatCount(entry.calls)} <span className="soft">scored</span>
        </span>
        {entry.pending > 0 && <span className="soft">{formatCount(entry.pending)} pending</span>}
      </td>
      <td role="cell" className="cell-compare">
        <label className="compare-box">
          <input
            type="checkbox"
            checked={isChosen}
            disabled={isFull && !isChosen}
            onChange={(event) => onChoose(channel.id, event.target.checked)}
          />
          <span className="compare-word">Compare</span>
          <span className="visually-hidden"> {name}</span>
        </label>
      </td>
    </tr>
  )
}

/** The name of a figure, where the table's headings are not shown. */
function Label({ children }: { children: string }) {
  return (
    <span className="cell-label" aria-hidden="true">
      {children}
    </span>
  )
}

function interval(entry: LeaderboardEntry) {
  return { mean: entry.mean_excess_percent, low: entry.excess_low_percent, high: entry.excess_high_percent }
}
