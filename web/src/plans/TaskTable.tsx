/** Every task of a plan, with its state in words. */

import { memo } from "react"
import { Link } from "wouter"
import type { Task } from "../api/types"
import { Scroller } from "../components/Scroller"
import { formatDuration, millisecondsBetween } from "../text/durations"
import { formatCount } from "../text/numbers"
import { TaskBadge } from "./PlanBadge"
import { TASK_KIND_LABELS } from "./plans"
import "./TaskTable.css"

export function TaskTable({ tasks }: { tasks: readonly Task[] }) {
  return (
    <Scroller label="Tasks">
      <table className="grid-table tasks">
        <caption className="visually-hidden">Tasks of the plan</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Status</th>
            <th scope="col">After</th>
            <th scope="col" className="number">
              Attempts
            </th>
            <th scope="col" className="number">
              Duration
            </th>
            <th scope="col">More</th>
          </tr>
        </thead>
        <tbody>
          {tasks.map((task) => (
            <Row key={task.key} task={task} />
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

const Row = memo(function Row({ task }: { task: Task }) {
  return (
    <tr>
      <th scope="row">
        <span className="strong">{task.key}</span>
        <span className="cell-second soft">
          {TASK_KIND_LABELS[task.kind]}
          {task.url && (
            <>
              {" · "}
              <bdi>{task.url.replace(/^https?:\/\/(www\.)?/, "")}</bdi>
            </>
          )}
        </span>
        {task.error && (
          <span className="cell-second task-error" dir="auto">
            {task.error}
          </span>
        )}
        {task.result && <span className="cell-second soft">{task.result}</span>}
      </th>
      <td>
        <TaskBadge status={task.status} />
      </td>
      <td className="soft task-after">{describeNeeds(task.depends_on)}</td>
      <td className="number">{formatCount(task.attempts)}</td>
      <td className="number">
        {task.started_at ? formatDuration(millisecondsBetween(task.started_at, task.ended_at)) : "–"}
      </td>
      <td className="task-links">
        {task.channel_id && (
          <Link className="touch" href={`/channels/${task.channel_id}`}>
            Channel<span className="visually-hidden"> of {task.key}</span>
          </Link>
        )}
        {task.run_id && (
          <Link className="touch" href={`/runs/${task.run_id}`}>
            Run<span className="visually-hidden"> of {task.key}</span>
          </Link>
        )}
      </td>
    </tr>
  )
})

const MOST_NAMED = 2

function describeNeeds(keys: readonly string[]): string {
  if (!keys.length) return "–"
  const named = keys.slice(0, MOST_NAMED).join(", ")
  return keys.length > MOST_NAMED ? `${named} and ${formatCount(keys.length - MOST_NAMED)} more` : named
}
