/** A plan drawn from left to right. The table below it has the same content for screen readers. */

import { useMemo } from "react"
import type { Task } from "../api/types"
import { Scroller } from "../components/Scroller"
import { counted, formatCount } from "../text/numbers"
import { BOX, columnsOf, drawPlan, MOST_BOXES } from "./plan-graph"
import { countStatuses, describeStatuses, TASK_KIND_LABELS, TASK_STATUS_LABELS, TASK_STATUSES } from "./plans"
import "./PlanGraph.css"

const MARGIN = 4
const MOST_LETTERS = 20

export function PlanGraph({ tasks }: { tasks: readonly Task[] }) {
  if (tasks.length > MOST_BOXES) return <Columns tasks={tasks} />
  return <Boxes tasks={tasks} />
}

function Boxes({ tasks }: { tasks: readonly Task[] }) {
  const { width, height, boxes, lines } = useMemo(() => drawPlan(tasks), [tasks])
  return (
    <Scroller label="Graph of the plan">
      <svg
        className="plan-graph"
        width={width + 2 * MARGIN}
        height={height + 2 * MARGIN}
        role="img"
        aria-label={`${counted(tasks.length, "task", "tasks")}: ${describeStatuses(tasks)}. They are listed below.`}
      >
        <g transform={`translate(${MARGIN} ${MARGIN})`}>
          {lines.map(({ key, path, status }) => (
            <path key={key} className={`plan-line ${status}`} d={path} />
          ))}
          {boxes.map(({ task, x, y }) => (
            <g key={task.key} className={`plan-box ${task.status}`} transform={`translate(${x} ${y})`}>
              <title>{`${task.key}: ${TASK_KIND_LABELS[task.kind]}, ${TASK_STATUS_LABELS[task.status].toLowerCase()}`}</title>
              <rect width={BOX.width} height={BOX.height} rx="8" />
              <text className="plan-key" x="12" y="21">
                {shortened(task.key)}
              </text>
              <text className="plan-state" x="12" y="40">
                {TASK_STATUS_LABELS[task.status]}
              </text>
            </g>
          ))}
        </g>
      </svg>
    </Scroller>
  )
}

/** Too many to draw one by one: how far each column is. */
function Columns({ tasks }: { tasks: readonly Task[] }) {
  const columns = useMemo(() => columnsOf(tasks), [tasks])
  return (
    <Scroller label="Steps of the plan">
      <ol className="plan-columns">
        {columns.map((column, index) => {
          const counts = countStatuses(column)
          return (
            <li key={column[0]?.key ?? index}>
              <span className="strong">Step {formatCount(index + 1)}</span>
              <span className="soft">{counted(column.length, "task", "tasks")}</span>
              <span className="plan-share" aria-hidden="true">
                {TASK_STATUSES.filter((status) => counts[status]).map((status) => (
                  <span key={status} className={status} style={{ flexGrow: counts[status] }} />
                ))}
              </span>
              <span className="plan-counts">{describeStatuses(column)}</span>
            </li>
          )
        })}
      </ol>
    </Scroller>
  )
}

function shortened(key: string): string {
  return key.length > MOST_LETTERS ? `${key.slice(0, MOST_LETTERS - 1)}…` : key
}
