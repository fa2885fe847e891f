import type { ChannelStatus } from "../api/types"

const WORDS: Record<ChannelStatus, string> = {
  pending: "Queued",
  processing: "Processing",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
}

export function StatusBadge({ status }: { status: ChannelStatus }) {
  return (
    <span className={`badge status-${status}`}>
      <span className="dot" aria-hidden="true" />
      {WORDS[status]}
    </span>
  )
}

export function DemoBadge() {
  return <span className="badge demo">Demo</span>
}
