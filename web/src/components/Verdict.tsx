/** The verdict on a channel as a chip: a shape, a colour and words. */

import type { Verdict as Name } from "../api/types"
import { VERDICT_LABELS, VERDICT_REMARKS } from "../domain/verdicts"
import "./Verdict.css"

const SHAPES: Record<Name, string> = {
  beats_market: "M6 1.4 11.2 10.6H.8Z",
  lags_market: "M6 10.6.8 1.4h10.4Z",
  like_its_stocks: "M.8 3h10.4v2.2H.8ZM.8 6.8h10.4V9H.8Z",
  not_proven: "M6 1a5 5 0 1 0 0 10A5 5 0 0 0 6 1ZM6 3a3 3 0 1 1 0 6A3 3 0 0 1 6 3Z",
  read_too_poorly: "M1.4 0 6 4.6 10.6 0 12 1.4 7.4 6 12 10.6 10.6 12 6 7.4 1.4 12 0 10.6 4.6 6 0 1.4Z",
  too_few_calls: "M1 4.8h2.4v2.4H1ZM4.8 4.8h2.4v2.4H4.8ZM8.6 4.8H11v2.4H8.6Z",
}

interface Props {
  verdict: Name
  large?: boolean
  /** True where nobody has checked a sample of the calls that it rests on. */
  unchecked?: boolean
}

export function Verdict({ verdict, large, unchecked }: Props) {
  const remark = VERDICT_REMARKS[verdict]
  return (
    <span className={`verdict ${verdict} ${large ? "large" : ""} ${unchecked ? "unchecked" : ""}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        <path fillRule="evenodd" d={SHAPES[verdict]} />
      </svg>
      <span>
        {VERDICT_LABELS[verdict]}
        {remark && <span className="verdict-remark">: {remark}</span>}
      </span>
      {unchecked && <span className="verdict-remark">(unchecked)</span>}
    </span>
  )
}
