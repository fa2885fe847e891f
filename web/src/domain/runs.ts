/** Runs in words: what they did, who began them, how far they are and how long they took. */

import type { Attempt, Channel, CheckEvery, Run, RunStatus } from "../api/types"
import { formatDistance, formatDuration, millisecondsBetween } from "../text/durations"
import { counted, formatCount } from "../text/numbers"

export const RUN_STATUSES: readonly RunStatus[] = [
  "processing",
  "pending",
  "completed",
  "failed",
  "interrupted",
  "cancelled",
]

export const RUN_STATUS_LABELS: Record<RunStatus, string> = {
  pending: "Queued",
  processing: "Processing",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
  interrupted: "Interrupted",
}

export const RUN_KIND_LABELS: Record<Run["kind"], string> = {
  process: "All videos",
  check: "Check for new videos",
  reread: "Read again",
}

export const OUTCOME_LABELS: Record<Attempt["outcome"], string> = {
  pending: "Waiting",
  completed: "Read",
  skipped: "No transcript",
  failed: "Failed",
}

/** The names that the API gives to callers it cannot tell apart. */
const NAMELESS = ["owner", "local"]

export function isUnderWay(run: Pick<Run, "status">): boolean {
  return run.status === "pending" || run.status === "processing"
}

type Begun = Pick<Run, "started_by" | "starter">

/** Who began it. A plan is named by its link, see `planOf`. */
export function starterOf({ started_by, starter }: Begun): string {
  if (started_by === "clock") return "the scheduler"
  if (started_by === "plan") return "a plan"
  return starter && !NAMELESS.includes(starter) ? starter : "you"
}

/** The plan and the task that began a run: a starter is written `{plan id}/{key of the task}`. */
export function planOf({ started_by, starter }: Begun): { planId: string; task: string } | null {
  if (started_by !== "plan" || !starter) return null
  const [planId = "", ...task] = starter.split("/")
  return planId ? { planId, task: task.join("/") } : null
}

type Progress = Pick<Run, "videos" | "processed" | "skipped" | "failed">

export function videosDone({ processed, skipped, failed }: Progress): number {
  return processed + skipped + failed
}

/** "38 of 40 videos", and what became of those that were not read. */
export function describeProgress(run: Progress & Pick<Run, "status" | "kind">, locale?: string): string {
  if (!run.videos) {
    if (isUnderWay(run)) return "Finding videos…"
    return run.kind === "check" && run.status === "completed" ? "No new videos" : "No videos"
  }
  const done = `${formatCount(videosDone(run), locale)} of ${counted(run.videos, "video", "videos", locale)}`
  const parts = [
    run.skipped ? `${formatCount(run.skipped, locale)} without transcript` : "",
    run.failed ? `${formatCount(run.failed, locale)} failed` : "",
  ].filter(Boolean)
  return parts.length ? `${done}, ${parts.join(", ")}` : done
}

export function durationOf(run: Pick<Run, "started_at" | "ended_at">, now?: number): string {
  return formatDuration(millisecondsBetween(run.started_at, run.ended_at, now))
}

export interface Bar {
  id: string
  status: RunStatus
  milliseconds: number
  /** As a share of the longest, from 0 to 1. */
  share: number
  label: string
}

/** How long the last runs took, oldest first. Those under way are left out. */
export function durationBars(runs: readonly Run[], most: number): Bar[] {
  const ended = runs.filter((run) => run.ended_at !== null).slice(0, most)
  const times = ended.map((run) => millisecondsBetween(run.started_at, run.ended_at))
  const longest = Math.max(...times, 1)
  return ended
    .map((run, index) => ({ run, milliseconds: times[index] ?? 0 }))
    .map(({ run, milliseconds }) => ({
      id: run.id,
      status: run.status,
      milliseconds,
      share: milliseconds / longest,
      label: `${run.channel_name}: ${formatDuration(milliseconds)}, ${RUN_STATUS_LABELS[run.status].toLowerCase()}`,
    }))
    .reverse()
}

/** Describes the bars in a sentence. */
export function describeDurations(bars: readonly Bar[]): string {
  const times = bars.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other)
  const [shortest, longest] = [times[0], times.at(-1)]
  if (shortest === undefined || longest === undefined) return "No run has ended yet."
  if (times.length === 1) return `The last run took ${formatDuration(longest)}.`
  if (formatDuration(shortest) === formatDuration(longest)) {
    return `The last ${formatCount(times.length)} runs took ${formatDuration(longest)} each.`
  }
  const middle = times[Math.floor((times.length - 1) / 2)] ?? 0
  return `The last ${formatCount(times.length)} runs took ${formatDuration(shortest)} to ${formatDuration(longest)}, half of them ${formatDuration(middle)} or less.`
}

export const CHECK_LABELS: Record<CheckEvery, string> = { off: "Off", daily: "Daily", weekly: "Weekly" }

type Checked = Pick<Channel, "check_every" | "next_check_at">

/** "Checked daily · next check in 5 hours". */
export function describeCheck({ check_every, next_check_at }: Checked, now = Date.now()): string {
  if (check_every === "off") return "Only with “Run again”"
  const often = `Checked ${check_every}`
  if (!next_check_at) return often
  return Date.parse(next_check_at) <= now
    ? `${often} · next check is due`
    : `${often} · next check ${formatDistance(next_check_at, now)}`
}

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

/** Why a channel is checked less often than it was set to. */
export function describeSlowed(failedRuns: number): string {
  const count = NUMBERS[failedRuns] ?? formatCount(failedRuns)
  return `Slowed down: ${count} ${failedRuns === 1 ? "run" : "runs in a row"} failed`
}
