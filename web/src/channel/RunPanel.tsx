/** The run in progress with its latest log lines, or why the last one failed. */

import { isRunning } from "../api/queries"
import type { Channel, Log } from "../api/types"
import { Icon } from "../components/Icon"
import { ProgressBar } from "../components/ProgressBar"
import { formatTime } from "../text/dates"
import "./RunPanel.css"
import "../components/States.css"

const LINES = 4

export function RunPanel({ channel, logs }: { channel: Channel; logs: readonly Log[] }) {
  const running = isRunning(channel)
  const lastError = logs.findLast((log) => log.log_level === "error")
  return (
    <>
      <p className="visually-hidden" role="status">
        {running ? "Processing" : ""}
      </p>
      {running && (
        <section className="card flat run" aria-label="Processing">
          <ProgressBar channel={channel} />
          <ol className="run-lines">
            {logs.slice(-LINES).map((log) => (
              <li key={log.id}>
                <time dateTime={log.created_at}>{formatTime(log.created_at)}</time>
                <span dir="auto">{log.message}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {channel.status === "failed" && (
        <p className="banner problem">
          <Icon name="warning" />
          <span dir="auto">{lastError?.message ?? "The last run failed. See the log for details."}</span>
        </p>
      )}
    </>
  )
}
