import type { PlanStatus, TaskStatus } from "../api/types"
import { PLAN_STATUS_LABELS, TASK_STATUS_LABELS } from "./plans"

export function PlanBadge({ status }: { status: PlanStatus }) {
  return <Badge status={status} label={PLAN_STATUS_LABELS[status]} />
}

export function TaskBadge({ status }: { status: TaskStatus }) {
  return <Badge status={status} label={TASK_STATUS_LABELS[status]} />
}

function Badge({ status, label }: { status: string; label: string }) {
  return (
    <span className={`badge status-${status}`}>
      <span className="dot" aria-hidden="true" />
      {label}
    </span>
  )
}
