/** The tone of a headline: a shape and a colour, with its word. The shapes differ from those of mentions. */

import { type ShownTone, TONE_LABELS } from "./news"
import "./NewsTone.css"

const SHAPES: Record<ShownTone, string> = {
  positive: "M6 1v10M1 6h10",
  neutral: "M1.5 4h9M1.5 8h9",
  negative: "M1 6h10",
  pending: "M6 1.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9",
}

export function ToneShape({ tone }: { tone: ShownTone }) {
  return (
    <svg className={`tone-shape ${tone}`} viewBox="0 0 12 12" aria-hidden="true" focusable="false">
      <path d={SHAPES[tone]} />
    </svg>
  )
}

export function ToneChip({ tone }: { tone: ShownTone }) {
  return (
    <span className={`chip tone-chip ${tone}`}>
      <ToneShape tone={tone} />
      {TONE_LABELS[tone]}
    </span>
  )
}
