/** How often a channel looks for new videos by itself, and when it will next. */

import { useId } from "react"
import { useCheckEvery } from "../api/activity-mutations"
import { describeError } from "../api/errors"
import type { Channel, CheckEvery } from "../api/types"
import { Icon } from "../components/Icon"
import { useRefusal } from "../components/NeedsRole"
import { CHECK_LABELS, describeCheck, describeSlowed } from "../domain/runs"
import { formatTimestamp } from "../text/dates"
import "./ChannelHeader.css"

const CHOICES: readonly CheckEvery[] = ["off", "daily", "weekly"]

export function ChannelChecks({ channel }: { channel: Channel }) {
  const change = useCheckEvery(channel.id)
  const field = useId()
  const refusal = useRefusal("admin")
  const chosen = change.isPending ? change.variables : channel.check_every
  return (
    <div className="checks">
      <label className="soft" htmlFor={field}>
        Check for new videos
      </label>
      <select
        id={field}
        className="field"
        value={chosen}
        disabled={change.isPending || refusal !== null}
        title={refusal ?? undefined}
        onChange={(event) => {
          const every = CHOICES.find((each) => each === event.target.value)
          if (every) change.mutate(every)
        }}
      >
        {CHOICES.map((every) => (
          <option key={every} value={every}>
            {CHECK_LABELS[every]}
          </option>
        ))}
      </select>
      <span
        className="soft"
        title={channel.next_check_at ? formatTimestamp(channel.next_check_at) : undefined}
        role="status"
      >
        {describeCheck(channel)}
      </span>
      {channel.is_slowed && (
        <span className="slowed">
          <Icon name="warning" />
          {describeSlowed(channel.failed_runs)}
        </span>
      )}
      {change.error && (
        <span className="slowed" role="alert">
          <Icon name="warning" />
          {describeError(change.error)}
        </span>
      )}
    </div>
  )
}
