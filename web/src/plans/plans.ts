/** Plans and their tasks, in words. */

import type { NewTask, Plan, PlanStatus, PlanSummary, Task, TaskKind, TaskStatus } from "../api/types"
import { checkChannelUrl } from "../text/channel-url"
import { counted, formatCount } from "../text/numbers"

export const PLAN_STATUS_LABELS: Record<PlanStatus, string> = {
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
}

/** In the order in which they are counted up. */
export const TASK_STATUSES: readonly TaskStatus[] = [
  "completed",
  "running",
  "pending",
  "failed",
  "skipped",
  "cancelled",
]

export const TASK_STATUS_LABELS: Record<TaskStatus, string> = {
  pending: "Waiting",
  running: "Running",
  completed: "Completed",
  failed: "Failed",
  skipped: "Skipped",
  cancelled: "Cancelled",
}

export const TASK_KIND_LABELS: Record<TaskKind, string> = {
  add_channel: "Add channel",
  process: "All videos",
  reread: "Read again",
  refresh_prices: "Refresh prices",
  backfill_prices: "Fill in prices",
  score: "Score",
  export: "Export",
  ingest_news: "Collect news",
}

/** "12 of 40 tasks ended, 1 failed". */
export function describePlanProgress({ ended, total, failed }: PlanSummary, locale?: string): string {
  const done = `${formatCount(ended, locale)} of ${counted(total, "task", "tasks", locale)} ended`
  return failed ? `${done}, ${formatCount(failed, locale)} failed` : done
}

export function countStatuses(tasks: readonly Pick<Task, "status">[]): Record<TaskStatus, number> {
  const counts = { completed: 0, running: 0, pending: 0, failed: 0, skipped: 0, cancelled: 0 }
  for (const { status } of tasks) counts[status] += 1
  return counts
}

/** "3 completed, 1 running". */
export function describeStatuses(tasks: readonly Pick<Task, "status">[], locale?: string): string {
  const counts = countStatuses(tasks)
  return TASK_STATUSES.filter((status) => counts[status])
    .map((status) => `${formatCount(counts[status], locale)} ${TASK_STATUS_LABELS[status].toLowerCase()}`)
    .join(", ")
}

export function isPlanRunning(plan: Pick<Plan, "status"> | undefined): boolean {
  return plan?.status === "running"
}

export const MOST_LINKS = 250

export interface PastedLinks {
  tasks: NewTask[]
  /** How many channels they are. */
  channels: number
  /** The problem, with its line number. */
  problems: string[]
}

/** A plan from channel links, one a line: each is added, and scored when its first run has ended. */
export function tasksFromLinks(text: string): PastedLinks {
  const links = new Map<string, { url: string; name: string }>()
  const problems: string[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const checked = checkChannelUrl(line)
    if (checked.state === "valid") {
      const same = withoutHost(checked.url)
      if (!links.has(same)) links.set(same, checked)
    } else if (checked.state !== "empty") {
      const hint = checked.state === "invalid" ? checked.hint : "That link isn’t complete."
      problems.push(`Line ${formatCount(index + 1)}: ${hint}`)
    }
  }
  if (links.size > MOST_LINKS) {
    problems.push(
      `A plan takes at most ${formatCount(MOST_LINKS)} links; these are ${formatCount(links.size)}.`,
    )
  }
  const found = [...links.values()]
  const keys = uniqueKeys(found.map(({ name }) => name.toLowerCase()))
  const tasks = found.flatMap(({ url }, index): NewTask[] => {
    const add = `add-${keys[index]}`
    return [
      { key: add, kind: "add_channel", url },
      { key: `score-${keys[index]}`, kind: "score", depends_on: [add] },
    ]
  })
  return { tasks, channels: links.size, problems }
}

/** The same for two links to one channel. Only ids tell capitals from small letters. */
function withoutHost(url: string): string {
  const path = url.replace(/^(https?:\/\/)?[^/]*\//i, "").replace(/[/?#]+$/, "")
  return /^channel\//i.test(path) ? path : path.toLowerCase()
}

const MOST_LETTERS = 40

/** Names as keys of tasks, which take letters, digits, `-`, `_` and `.` only. */
function uniqueKeys(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name, index) => {
    const plain = name.replace(/[^a-z0-9._-]+/g, "").slice(0, MOST_LETTERS)
    const key = plain && !taken.has(plain) ? plain : `${plain || "channel"}-${index + 1}`
    taken.add(key)
    return key
  })
}
