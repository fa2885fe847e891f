import { KindShape } from "../components/Kind"
import { KINDS, type KindCounts, LABELS } from "../record/kinds"
import { formatCount } from "../text/numbers"

/** The number of mentions of each kind, with its shape. */
export function KindLegend({ counts }: { counts: KindCounts }) {
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
