/** The log of the channel's runs, oldest first. */

import type { UseQueryResult } from "@tanstack/react-query"
import { useState } from "react"
import { useLoadError } from "../api/load-error"
import type { Log } from "../api/types"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { formatSecond } from "../text/dates"
import { formatCount } from "../text/numbers"
import "./LogTab.css"

const LABELS = { info: "", warning: "Warning", error: "Error" }

export function LogTab({ running, logs }: { running: boolean; logs: UseQueryResult<Log[]> }) {
  const [errorsOnly, setErrorsOnly] = useState(false)
  const loadError = useLoadError(logs)
  if (loadError) return <ErrorState title="Couldn’t load the log" error={loadError} retry={logs.refetch} />
  if (!logs.data) return <RowsSkeleton />
  const errors = logs.data.filter((log) => log.log_level !== "info")
  const shown = errorsOnly ? errors : logs.data
  return (
    <section aria-label="Log">
      <label className="check">
        <input
          type="checkbox"
          checked={errorsOnly}
          onChange={(event) => setErrorsOnly(event.target.checked)}
        />
        Warnings and errors only ({formatCount(errors.length)})
      </label>
      {shown.length ? (
        <ol className="card flat log" aria-live={running ? "polite" : "off"} aria-relevant="additions">
          {shown.map((log) => (
            <li key={log.id} className={log.log_level}>
              <time dateTime={log.created_at}>{formatSecond(log.created_at)}</time>
              <span dir="auto">
                {LABELS[log.log_level] && <strong>{LABELS[log.log_level]}: </strong>}
                {log.message}
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <EmptyState title={errorsOnly ? "No warnings or errors" : "Nothing logged yet"} />
      )}
    </section>
  )
}
