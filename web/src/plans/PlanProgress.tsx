import type { PlanSummary } from "../api/types"
import { describePlanProgress } from "./plans"
import "../components/ProgressBar.css"

export function PlanProgress({ plan }: { plan: PlanSummary }) {
  const text = describePlanProgress(plan)
  return (
    <div className="progress">
      <progress aria-label={`Progress of ${plan.name}`} value={plan.ended} max={plan.total}>
        {text}
      </progress>
      <span className="progress-text">{text}</span>
    </div>
  )
}
