/** How often calls beat the market, as a bar, with a tick where the same stocks stand on any other day. */

import { Unknown } from "../components/Unknown"
import { formatShare } from "../text/numbers"
import "./BeatRate.css"

interface Props {
  rate: number | null
  base: number | null
}

export function BeatRate({ rate, base }: Props) {
  if (rate === null) return <Unknown label="Too early to tell" />
  return (
    <span className="beat">
      <span>
        <span className="strong">{formatShare(rate)}</span>{" "}
        {base !== null && <span className="soft">base rate {formatShare(base)}</span>}
      </span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect className="track" width="100" height="4" y="2" rx="2" />
        <rect className="filled" width={rate * 100} height="4" y="2" rx="2" />
        {base !== null && <rect className="base" x={Math.max(0, base * 100 - 0.8)} width="1.6" height="8" />}
      </svg>
    </span>
  )
}
