/** A run while it goes on, with its newest log lines; and why it failed, if it did. */

import { isRunning } from "../api/queries"
import type { Channel, Log } from "../api/types"
import { Icon } from "../parts/Icon"
import { ProgressBar } from "../parts/ProgressBar"
import { formatTime } from "../text/dates"

const LINES = 4

export function RunPanel({ channel, logs }: { channel: Channel; logs: readonly Log[] }) {
  const running = isRunning(channel)
  const lastProblem = logs.findLast((log) => log.log_level === "error")
  return (
    <>
      <p className="visually-hidden" role="status">
        {running ? "Processing" : ""}
      </p>
      {running && (
        <section className="run" aria-label="Processing">
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
          <span dir="auto">{lastProblem?.message ?? "The last run failed. Its log says why."}</span>
        </p>
      )}
    </>
  )
}
