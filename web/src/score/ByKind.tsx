/** Buys and sells apart. */

import type { HorizonScore, KindScore } from "../api/types"
import { BeatRate } from "../charts/BeatRate"
import { KindChip } from "../components/Kind"
import { Term } from "../components/Term"
import { counted, formatChange } from "../text/numbers"
import "./ByKind.css"

export function ByKind({ figures }: { figures: HorizonScore }) {
  return (
    <section className="card panel" aria-label="Buys and sells">
      <h2 className="section-title">Buys and sells apart</h2>
      <div className="kind-scores">
        <Kind kind="buy" score={figures.by_kind.buy} />
        <Kind kind="sell" score={figures.by_kind.sell} />
      </div>
    </section>
  )
}

function Kind({ kind, score }: { kind: "buy" | "sell"; score: KindScore }) {
  return (
    <dl className="kind-score">
      <div>
        <dt>
          <KindChip kind={kind} />
        </dt>
        <dd className="soft">{counted(score.calls, "scored call", "scored calls")}</dd>
      </div>
      <div data-term="mean_excess">
        <dt>
          <Term of="mean_excess">Mean excess</Term>
        </dt>
        <dd className="strong">{formatChange(score.mean_excess_percent)}</dd>
      </div>
      <div data-term="beat_rate">
        <dt>
          <Term of="beat_rate">Beat rate</Term>
        </dt>
        <dd>
          <BeatRate rate={score.beat_rate} base={null} />
        </dd>
      </div>
    </dl>
  )
}
