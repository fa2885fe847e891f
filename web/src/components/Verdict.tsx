/** The verdict on a channel as a chip: a shape, a colour and words. */

import type { Verdict as Name } from "../api/types"
import { type Tests, VERDICT_LABELS, verdictRemark } from "../domain/verdicts"
import "./Verdict.css"

const SHAPES: Record<Name, string> = {
  beats_market: "M6 1.4 11.2 10.6H.8Z",
  lags_market: "M6 10.6.8 1.4h10.4Z",
  like_its_stocks: "M.8 3h10.4v2.2H.8ZM.8 6.8h10.4V9H.8Z",
  not_proven: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1ZM6 3a3 3 0 1 1 0 6A3 3 0 0 1 6 3Z",
  too_few_calls: "M1 4.8h2.4v2.4H1ZM4.8 4.8h2.4v2.4H4.8ZM8.6 4.8H11v2.4H8.6Z",
}

interface Props {
  verdict: Name
  /** The channel it is about, if any. */
  tests?: Tests
  large?: boolean
}

export function Verdict({ verdict, tests, large }: Props) {
  const remark = verdictRemark(verdict, tests)
  return (
    <span className={`verdict ${verdict} ${large ? "large" : ""}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        <path fillRule="evenodd" d={SHAPES[verdict]} />
      </svg>
      <span>
        {VERDICT_LABELS[verdict]}
        {remark && <span className="verdict-remark">: {remark}</span>}
      </span>
    </span>
  )
}
