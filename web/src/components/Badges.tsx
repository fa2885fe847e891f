import type { RunStatus } from "../api/types"
import { RUN_STATUS_LABELS } from "../domain/runs"

/** The status of a run, or of a channel, which has the status of its last run. */
export function StatusBadge({ status }: { status: RunStatus }) {
  return (
    <span className={`badge status-${status}`}>
      <span className="dot" aria-hidden="true" />
      {RUN_STATUS_LABELS[status]}
    </span>
  )
}

export function DemoBadge() {
  return <span className="badge demo">Demo</span>
}
