/** One run: its whole record, followed while it is under way. */

import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { RunProgress } from "../activity/RunProgress"
import { StartedBy } from "../activity/StartedBy"
import { runQuery } from "../api/activity-queries"
import { isNotFound } from "../api/errors"
import { useLoadError } from "../api/load-error"
import type { Run } from "../api/types"
import { StatusBadge } from "../components/Badges"
import { Breadcrumb } from "../components/Breadcrumb"
import { Icon } from "../components/Icon"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { PageSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState, StaleBanner } from "../components/States"
import { durationOf, isUnderWay, RUN_KIND_LABELS } from "../domain/runs"
import { describeTokens } from "../reading/reading-cost"
import { formatSecond } from "../text/dates"
import { withoutDemoSuffix } from "../text/demo"
import { formatCount } from "../text/numbers"
import "./RunPage.css"
import "../channel/ChannelHeader.css"
import "../components/States.css"

export default function RunPage({ id }: { id: string }) {
  const run = useQuery(runQuery(id))
  const loadError = useLoadError(run)
  useTitle(run.data ? `${RUN_KIND_LABELS[run.data.kind]} of ${run.data.channel_name}` : "Run")
  if (!run.data && !loadError) return <PageSkeleton />
  return (
    <div className="wide page">
      <Breadcrumb to={[{ href: "/activity", label: "Activity" }]} />
      {isNotFound(run.error) && (
        <EmptyState title="Run not found">
          <p className="soft">The records of a run go with its channel.</p>
          <Link className="button" href="/activity">
            Activity
          </Link>
        </EmptyState>
      )}
      {loadError && !isNotFound(run.error) && (
        <ErrorState title="Couldn’t load the run" error={loadError} retry={run.refetch} />
      )}
      {run.data && !isNotFound(run.error) && (
        <>
          <StaleBanner error={run.error} />
          <Details run={run.data} />
        </>
      )}
    </div>
  )
}

function Details({ run }: { run: Run }) {
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const live = isUnderWay(run)
  return (
    <article>
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {withoutDemoSuffix(run.channel_name)}
          </h1>
          <p className="facts">
            <StatusBadge status={run.status} />
            <span>{RUN_KIND_LABELS[run.kind]}</span>
            <StartedBy run={run} />
          </p>
        </div>
        <div className="actions">
          <Link className="button" href={`/channels/${run.channel_id}`}>
            Channel
          </Link>
          <Link className="button" href={`/channels/${run.channel_id}/log`}>
            Log of the channel
          </Link>
        </div>
      </div>
      {run.error && (
        <p className="banner problem">
          <Icon name="warning" />
          <span dir="auto">{run.error}</span>
        </p>
      )}
      {(run.continues || run.continued_by) && (
        <p className="banner">
          <Icon name="info" />
          <span>
            {run.continues && (
              <>
                Took over from{" "}
                <Link className="touch" href={`/runs/${run.continues}`}>
                  a run that was interrupted
                </Link>
                .{" "}
              </>
            )}
            {run.continued_by && (
              <>
                Was interrupted and{" "}
                <Link className="touch" href={`/runs/${run.continued_by}`}>
                  continued by another run
                </Link>
                .
              </>
            )}
          </span>
        </p>
      )}
      <div className="card panel">
        <dl className="run-record">
          <Fact name="Progress">
            <RunProgress run={run} />
          </Fact>
          <Fact name="Started">
            <time dateTime={run.started_at}>{formatSecond(run.started_at)}</time>
          </Fact>
          <Fact name="Ended">
            {run.ended_at ? <time dateTime={run.ended_at}>{formatSecond(run.ended_at)}</time> : "–"}
          </Fact>
          <Fact name={live ? "So far" : "Took"}>{durationOf(run)}</Fact>
          <Fact name="Videos found">{formatCount(run.found)}</Fact>
          <Fact name="To read">{formatCount(run.videos)}</Fact>
          <Fact name="Read">{formatCount(run.processed)}</Fact>
          <Fact name="Without transcript">{formatCount(run.skipped)}</Fact>
          <Fact name="Failed">{formatCount(run.failed)}</Fact>
          <Fact name="Calls found">{formatCount(run.calls)}</Fact>
          <Fact name="Analyst">
            <bdi>{run.analyst ?? "–"}</bdi>
          </Fact>
          {describeTokens(run) && (
            <>
              <Fact name="Tokens sent">{formatCount(run.tokens_in)}</Fact>
              <Fact name="Tokens returned">{formatCount(run.tokens_out)}</Fact>
            </>
          )}
          <Fact name="Id">
            <span className="code">{run.id}</span>
          </Fact>
        </dl>
      </div>
    </article>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
