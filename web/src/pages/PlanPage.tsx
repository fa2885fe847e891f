/** One plan: its graph, its tasks, and how far they are. Followed while it is running. */

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { planQuery } from "../api/activity-queries"
import { isNotFound } from "../api/errors"
import { useLoadError } from "../api/load-error"
import type { Plan } from "../api/types"
import { Breadcrumb } from "../components/Breadcrumb"
import { Icon } from "../components/Icon"
import { NeedsRole } from "../components/NeedsRole"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { PageSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState, StaleBanner } from "../components/States"
import { CancelPlanDialog } from "../plans/CancelPlanDialog"
import { PlanBadge } from "../plans/PlanBadge"
import { PlanGraph } from "../plans/PlanGraph"
import { PlanProgress } from "../plans/PlanProgress"
import { isPlanRunning } from "../plans/plans"
import { TaskTable } from "../plans/TaskTable"
import { formatTimestamp } from "../text/dates"
import { formatDuration, millisecondsBetween } from "../text/durations"
import "../channel/ChannelHeader.css"
import "../plans/PlanGraph.css"

export default function PlanPage({ id }: { id: string }) {
  const plan = useQuery(planQuery(id))
  const loadError = useLoadError(plan)
  useTitle(plan.data?.name ?? "Plan")
  if (!plan.data && !loadError) return <PageSkeleton />
  return (
    <div className="wide page">
      <Breadcrumb to={[{ href: "/plans", label: "Plans" }]} />
      {isNotFound(plan.error) && (
        <EmptyState title="Plan not found">
          <Link className="button" href="/plans">
            Plans
          </Link>
        </EmptyState>
      )}
      {loadError && !isNotFound(plan.error) && (
        <ErrorState title="Couldn’t load the plan" error={loadError} retry={plan.refetch} />
      )}
      {plan.data && !isNotFound(plan.error) && (
        <>
          <StaleBanner error={plan.error} />
          <Details plan={plan.data} />
        </>
      )}
    </div>
  )
}

function Details({ plan }: { plan: Plan }) {
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const [cancelling, setCancelling] = useState(false)
  const running = isPlanRunning(plan)
  return (
    <>
      <div className="page-head">
        <div className="grow">
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {plan.name}
          </h1>
          <p className="facts">
            <PlanBadge status={plan.status} />
            <time dateTime={plan.created_at}>{formatTimestamp(plan.created_at)}</time>
            <span>
              {running ? "running for" : "took"}{" "}
              {formatDuration(millisecondsBetween(plan.created_at, plan.ended_at))}
            </span>
          </p>
        </div>
        {running && (
          <NeedsRole needed="editor" quiet>
            <button type="button" className="button" onClick={() => setCancelling(true)}>
              <Icon name="stop" />
              Cancel plan
            </button>
          </NeedsRole>
        )}
      </div>
      <div className="plan-progress" role="status">
        <PlanProgress plan={plan} />
      </div>
      <h2 className="visually-hidden">Graph</h2>
      <div className="card panel plan-panel">
        <PlanGraph tasks={plan.tasks} />
      </div>
      <h2 className="section-title">Tasks</h2>
      <TaskTable tasks={plan.tasks} />
      {cancelling && <CancelPlanDialog plan={plan} onClose={() => setCancelling(false)} />}
    </>
  )
}
