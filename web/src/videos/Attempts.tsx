/** The outcome of a video in each run, loaded when opened. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { attemptsQuery } from "../api/activity-queries"
import { describeError } from "../api/errors"
import type { Attempt } from "../api/types"
import { LoadMore } from "../components/LoadMore"
import { OUTCOME_LABELS } from "../domain/runs"
import { formatTimestamp } from "../text/dates"
import { counted } from "../text/numbers"
import "./Attempts.css"

export function Attempts({ channelId, videoId }: { channelId: string; videoId: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="attempts" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="touch">Attempts</summary>
      {isOpen && <AttemptList channelId={channelId} videoId={videoId} />}
    </details>
  )
}

function AttemptList({ channelId, videoId }: { channelId: string; videoId: string }) {
  const attempts = useInfiniteQuery(attemptsQuery(channelId, videoId))
  const items = attempts.data?.pages.flatMap((page) => page.items)
  if (!items) {
    return <p className="soft">{attempts.error ? describeError(attempts.error) : "Loading…"}</p>
  }
  if (!items.length) return <p className="soft">No run has tried to read it yet.</p>
  return (
    <>
      <ol>
        {items.map((attempt) => (
          <Line key={attempt.run_id} attempt={attempt} />
        ))}
      </ol>
      <LoadMore query={attempts} label="Load older attempts" />
    </>
  )
}

function Line({ attempt }: { attempt: Attempt }) {
  const { outcome, ended_at, mentions, calls, analyst, problem } = attempt
  return (
    <li>
      <Link className="touch" href={`/runs/${attempt.run_id}`}>
        <time dateTime={ended_at}>{formatTimestamp(ended_at)}</time>
      </Link>
      <span className={`badge ${BADGES[outcome]}`}>{OUTCOME_LABELS[outcome]}</span>
      <span className="soft" dir="auto">
        {outcome === "completed"
          ? `${counted(mentions, "mention", "mentions")}, ${counted(calls, "call", "calls")}${analyst ? ` · read by ${analyst}` : ""}`
          : problem}
      </span>
    </li>
  )
}

const BADGES = { pending: "", completed: "video-read", skipped: "video-missing", failed: "video-failed" }
