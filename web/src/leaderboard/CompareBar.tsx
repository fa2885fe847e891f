/** The channels chosen for a comparison, and the way to it. */

import { Link } from "wouter"
import type { Horizon } from "../api/types"
import { useDefaults } from "../components/defaults"
import { ExportButton } from "../exports/ExportButton"
import { counted } from "../text/numbers"
import { compareLink } from "./compare"
import "./CompareBar.css"

interface Props {
  chosen: readonly string[]
  horizon: Horizon
  onClear: () => void
}

export function CompareBar({ chosen, horizon, onClear }: Props) {
  const { horizon: own } = useDefaults()
  return (
    <div className="compare-bar" role="status">
      {chosen.length > 0 && (
        <div className="compare-inner">
          <span>
            {counted(chosen.length, "channel", "channels")} chosen{chosen.length === 1 && "; choose one more"}
          </span>
          {chosen.length > 1 && (
            <Link className="button primary" href={compareLink(chosen, horizon, own)}>
              Compare
            </Link>
          )}
          <ExportButton channels={chosen} />
          <button type="button" className="button quiet" onClick={onClear}>
            Clear
          </button>
        </div>
      )}
    </div>
  )
}
