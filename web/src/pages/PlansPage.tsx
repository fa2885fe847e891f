/** Plans, newest first, with how far each is. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { plansQuery } from "../api/activity-queries"
import { useLoadError } from "../api/load-error"
import type { PlanSummary } from "../api/types"
import { Icon } from "../components/Icon"
import { LoadMore } from "../components/LoadMore"
import { NeedsRole } from "../components/NeedsRole"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState, StaleBanner } from "../components/States"
import { NewPlanDialog } from "../plans/NewPlanDialog"
import { PlanBadge } from "../plans/PlanBadge"
import { PlanProgress } from "../plans/PlanProgress"
import { formatTimestamp } from "../text/dates"
import { formatDuration, millisecondsBetween } from "../text/durations"
import "./PlansPage.css"
import "../activity/RunRow.css"

export default function PlansPage() {
  useTitle("Plans")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const plans = useInfiniteQuery(plansQuery())
  const loadError = useLoadError(plans)
  const items = plans.data?.pages.flatMap((page) => page.items)
  const [adding, setAdding] = useState(false)
  return (
    <div className="wide page list-page">
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Plans
          </h1>
          <p className="soft">Tasks that depend on each other, each done once, in their order.</p>
        </div>
        <NeedsRole needed="editor">
          <button type="button" className="button primary" onClick={() => setAdding(true)}>
            <Icon name="add" />
            New plan
          </button>
        </NeedsRole>
      </div>
      {loadError && <ErrorState title="Couldn’t load the plans" error={loadError} retry={plans.refetch} />}
      {!items && !loadError && <RowsSkeleton />}
      {items && <StaleBanner error={plans.error} />}
      {items?.length === 0 && !plans.hasNextPage && (
        <EmptyState title="No plans yet">
          <p className="soft">Paste a list of channels, and a plan adds and scores them all.</p>
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ol className="plan-list" aria-label="Plans, newest first">
          {items.map((plan) => (
            <Row key={plan.id} plan={plan} />
          ))}
        </ol>
      )}
      <LoadMore query={plans} label="Load older plans" />
      {adding && <NewPlanDialog onClose={() => setAdding(false)} />}
    </div>
  )
}

function Row({ plan }: { plan: PlanSummary }) {
  return (
    <li className="plan-row">
      <div className="run-what">
        <Link className="run-channel touch" href={`/plans/${plan.id}`} dir="auto">
          {plan.name}
        </Link>
        <p className="run-by soft">
          <time dateTime={plan.created_at}>{formatTimestamp(plan.created_at)}</time>
          {plan.ended_at && (
            <span>took {formatDuration(millisecondsBetween(plan.created_at, plan.ended_at))}</span>
          )}
        </p>
      </div>
      <PlanProgress plan={plan} />
      <div className="run-status">
        <PlanBadge status={plan.status} />
      </div>
    </li>
  )
}
