/** A run in the list: what it was, how far it is, what it found, and how long it took. */

import { Link } from "wouter"
import type { Run } from "../api/types"
import { StatusBadge } from "../components/Badges"
import { Icon } from "../components/Icon"
import { durationOf, isUnderWay, RUN_KIND_LABELS } from "../domain/runs"
import { describeTokens } from "../reading/reading-cost"
import { formatTimestamp } from "../text/dates"
import { withoutDemoSuffix } from "../text/demo"
import { counted } from "../text/numbers"
import { RunProgress } from "./RunProgress"
import { StartedBy } from "./StartedBy"
import "./RunRow.css"

interface Props {
  run: Run
  /** Not on the channel's own page. */
  withChannel: boolean
}

export function RunRow({ run, withChannel }: Props) {
  const kind = RUN_KIND_LABELS[run.kind]
  const tokens = describeTokens(run)
  return (
    <li className="run-row">
      <div className="run-what">
        {withChannel && (
          <Link className="run-channel touch" href={`/channels/${run.channel_id}`} dir="auto">
            {withoutDemoSuffix(run.channel_name)}
          </Link>
        )}
        <Link className="run-kind touch" href={`/runs/${run.id}`}>
          {kind}
          {withChannel && <span className="visually-hidden"> of {run.channel_name}</span>}
        </Link>
        <p className="run-by soft">
          <StartedBy run={run} />
          <time dateTime={run.started_at}>{formatTimestamp(run.started_at)}</time>
        </p>
      </div>
      <div className="run-progress">
        <RunProgress run={run} />
        {tokens && (
          <p className="run-reader soft" dir="auto">
            {run.analyst && `Read by ${run.analyst} · `}
            <span className="run-tokens">{tokens}</span>
          </p>
        )}
        {run.error && (
          <p className="run-error" dir="auto">
            <Icon name="warning" />
            <span>{run.error}</span>
          </p>
        )}
      </div>
      <div className="run-figures soft">
        <span>{counted(run.calls, "call", "calls")}</span>
        <span>
          <span className="visually-hidden">{isUnderWay(run) ? "So far " : "Took "}</span>
          {durationOf(run)}
        </span>
      </div>
      <div className="run-status">
        <StatusBadge status={run.status} />
      </div>
    </li>
  )
}
