import { Link } from "wouter"
import type { Run } from "../api/types"
import { planOf, starterOf } from "../domain/runs"

/** "Started by you", by the scheduler, or by a plan, which it links to. */
export function StartedBy({ run }: { run: Run }) {
  const plan = planOf(run)
  return (
    <span>
      Started by{" "}
      {plan ? (
        <Link className="touch" href={`/plans/${plan.planId}`}>
          a plan
        </Link>
      ) : (
        <bdi>{starterOf(run)}</bdi>
      )}
    </span>
  )
}
