import type { RunStatus } from "../api/types"
import { RUN_STATUS_LABELS } from "../domain/runs"

/** Of a channel or of a run: a channel has the status of its last one. */
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
