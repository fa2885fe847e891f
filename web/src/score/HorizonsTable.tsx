/** The figures of every horizon side by side. A row's horizon can be chosen. */

import type { Horizon, HorizonScore } from "../api/types"
import { BeatRate } from "../charts/BeatRate"
import { commonScale } from "../charts/scale"
import { Whisker } from "../charts/Whisker"
import { Scroller } from "../components/Scroller"
import { Term } from "../components/Term"
import { Unknown } from "../components/Unknown"
import type { Term as TermName } from "../domain/definitions"
import { HORIZON_LABELS, PRIMARY_HORIZON } from "../domain/horizons"
import { formatChange, formatCount, formatNumber, formatProbability } from "../text/numbers"
import "../charts/Whisker.css"
import "./HorizonsTable.css"

interface Props {
  horizons: readonly HorizonScore[]
  chosen: Horizon
  onChoose: (horizon: Horizon) => void
}

const COLUMNS: [TermName, string, string][] = [
  ["calls", "Calls", "number"],
  ["mean_excess", "Mean excess", ""],
  ["beat_rate", "Beat rate", ""],
  ["alpha", "Alpha a year", "number"],
  ["luck", "By luck", "number"],
  ["timing", "Over its stocks", "number"],
]

export function HorizonsTable({ horizons, chosen, onChoose }: Props) {
  const scale = commonScale(horizons.map(interval))
  return (
    <div>
      <h2 className="section-title">All horizons</h2>
      <p className="soft panel-note">
        The verdict is made at three months. The others are secondary: anyone who picks the best of five finds
        luck more often, so their tests are corrected for all four.
      </p>
      <Scroller label="All horizons">
        <table className="grid-table">
          <thead>
            <tr>
              <th scope="col">After</th>
              {COLUMNS.map(([term, label, className]) => (
                <th key={term} scope="col" className={className}>
                  <Term of={term}>{label}</Term>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {horizons.map((each) => (
              <tr key={each.horizon} className={each.horizon === chosen ? "chosen" : ""}>
                <th scope="row">
                  <button
                    type="button"
                    className="link-button horizon-link"
                    aria-pressed={each.horizon === chosen}
                    onClick={() => onChoose(each.horizon)}
                  >
                    {HORIZON_LABELS[each.horizon]}
                  </button>
                  <span className="soft cell-second">
                    {each.horizon === PRIMARY_HORIZON ? "Primary" : "Secondary"}
                  </span>
                </th>
                <td className="number" data-term="calls">
                  {formatCount(each.calls)}
                  {each.pending > 0 && (
                    <span className="soft cell-second">{formatCount(each.pending)} pending</span>
                  )}
                </td>
                <td data-term="mean_excess">
                  {each.mean_excess_percent === null ? (
                    <Unknown label="Too early to tell" />
                  ) : (
                    <span className="excess">
                      <span>{formatChange(each.mean_excess_percent)}</span>
                      <Whisker {...interval(each)} scale={scale} />
                    </span>
                  )}
                </td>
                <td data-term="base_rate">
                  <BeatRate rate={each.beat_rate} base={each.base_beat_rate} />
                </td>
                <td className="number" data-term="alpha">
                  {each.alpha_percent === null ? (
                    <Unknown label="Too early to tell" />
                  ) : (
                    <>
                      {formatChange(each.alpha_percent)}
                      <span className="soft cell-second">t {formatNumber(each.alpha_t, 1)}</span>
                    </>
                  )}
                </td>
                <td className="number" data-term="luck">
                  <Probability value={each.p_value} />
                </td>
                <td className="number" data-term="timing">
                  <Probability value={each.timing_p_value} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </div>
  )
}

function Probability({ value }: { value: number | null }) {
  if (value === null) return <Unknown label="Too early to tell" />
  return formatProbability(value)
}

function interval(each: HorizonScore) {
  return { mean: each.mean_excess_percent, low: each.excess_low_percent, high: each.excess_high_percent }
}
