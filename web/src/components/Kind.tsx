/** The kind of a mention: its shape and colour, with its label or letter. */

import { describeCounts, KINDS, type Kind, type KindCounts, LABELS, LETTERS } from "../domain/kinds"
import "./Kind.css"

const SHAPES: Record<Kind, string> = {
  buy: "M6 1.4 11.2 10.6H.8Z",
  hold: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1Z",
  sell: "M6 10.6.8 1.4h10.4Z",
  mentioned: "M1.4 1.4h9.2v9.2H1.4Z",
}

export function KindShape({ kind }: { kind: Kind }) {
  return (
    <svg className={`shape ${kind}`} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path d={SHAPES[kind]} />
    </svg>
  )
}

export function KindChip({ kind, isRejected = false }: { kind: Kind; isRejected?: boolean }) {
  return (
    <span className={`chip ${kind}`}>
      <KindShape kind={kind} />
      {isRejected ? <s>{LABELS[kind]}</s> : LABELS[kind]}
    </span>
  )
}

/** Mentions by kind: a small bar with the numbers under it. */
export function KindBar({ counts }: { counts: KindCounts }) {
  const present = KINDS.filter((kind) => counts[kind] > 0)
  return (
    <div className="kinds">
      <span className="visually-hidden">{describeCounts(counts)}</span>
      <div className="kind-bar" aria-hidden="true">
        {present.map((kind) => (
          <span key={kind} className={kind} style={{ flexGrow: counts[kind] }} />
        ))}
      </div>
      <div className="kind-numbers" aria-hidden="true">
        {present.map((kind) => (
          <span key={kind} className={kind}>
            {LETTERS[kind]} {counts[kind]}
          </span>
        ))}
      </div>
    </div>
  )
}
