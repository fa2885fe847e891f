/** The channels chosen for a comparison, and the way to it. */

import { Link } from "wouter"
import type { Horizon } from "../api/types"
import { compareLink } from "../record/compare"
import { counted } from "../text/numbers"

interface Props {
  chosen: readonly string[]
  horizon: Horizon
  onClear: () => void
}

export function CompareBar({ chosen, horizon, onClear }: Props) {
  return (
    <div className="compare-bar" role="status">
      {chosen.length > 0 && (
        <div className="compare-inner">
          <span>
            {counted(chosen.length, "channel", "channels")} chosen{chosen.length === 1 && "; choose one more"}
          </span>
          {chosen.length > 1 && (
            <Link className="button primary" href={compareLink(chosen, horizon)}>
              Compare
            </Link>
          )}
          <button type="button" className="button quiet" onClick={onClear}>
            Clear
          </button>
        </div>
      )}
    </div>
  )
}
