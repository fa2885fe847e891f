import { KindShape } from "../parts/Kind"
import { KINDS, type KindCounts, LABELS } from "../record/kinds"
import { formatCount } from "../text/numbers"

/** The numbers of calls by kind, with each kind's shape. */
export function CallsLegend({ counts }: { counts: KindCounts }) {
  return (
    <span className="legend">
      {KINDS.map((kind) => (
        <span key={kind} className={kind}>
          <KindShape kind={kind} />
          {formatCount(counts[kind])} {LABELS[kind].toLowerCase()}
        </span>
      ))}
    </span>
  )
}
