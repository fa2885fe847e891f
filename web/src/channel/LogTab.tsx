/** What happened in the runs, oldest first, as the API logs it. */

import type { UseQueryResult } from "@tanstack/react-query"
import { useState } from "react"
import type { Log } from "../api/types"
import { RowsSkeleton } from "../parts/Skeletons"
import { Empty, Failed } from "../parts/States"
import { formatMoment, formatTime } from "../text/dates"
import { formatCount } from "../text/numbers"

const WORDS = { info: "", warning: "Warning", error: "Error" }

export function LogTab({ running, logs }: { running: boolean; logs: UseQueryResult<Log[]> }) {
  const [problemsOnly, setProblemsOnly] = useState(false)
  if (logs.isPending) return <RowsSkeleton />
  if (logs.error && !logs.data) {
    return <Failed what="The log could not be loaded" problem={logs.error} retry={logs.refetch} />
  }
  const problems = logs.data.filter((log) => log.log_level !== "info")
  const shown = problemsOnly ? problems : logs.data
  return (
    <section aria-label="Log">
      <label className="check">
        <input
          type="checkbox"
          checked={problemsOnly}
          onChange={(event) => setProblemsOnly(event.target.checked)}
        />
        Warnings and errors only ({formatCount(problems.length)})
      </label>
      {shown.length ? (
        <ol className="log" aria-live={running ? "polite" : "off"} aria-relevant="additions">
          {shown.map((log) => (
            <li key={log.id} className={log.log_level}>
              <time dateTime={log.created_at} title={formatMoment(log.created_at)}>
                {formatTime(log.created_at)}
              </time>
              <span dir="auto">
                {WORDS[log.log_level] && <strong>{WORDS[log.log_level]}: </strong>}
                {log.message}
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <Empty title={problemsOnly ? "No warnings and no errors" : "Nothing has been logged"} />
      )}
    </section>
  )
}
