import { useState } from "react"
import { describeError } from "../api/errors"
import { useChannelAction, useRefreshPrices } from "../api/mutations"
import { isRunning } from "../api/queries"
import type { Channel } from "../api/types"
import { Icon } from "../components/Icon"
import { NeedsRole, useRefusal } from "../components/NeedsRole"
import { notify } from "../components/notices"
import { ExportButton } from "../exports/ExportButton"
import { formatDay } from "../text/dates"
import { counted } from "../text/numbers"
import { DeleteDialog } from "./DeleteDialog"
import { RereadDialog } from "./RereadDialog"
import "./ChannelHeader.css"

export function ChannelActions({ channel }: { channel: Channel }) {
  const refusal = useRefusal("editor")
  return (
    <div className="actions">
      {refusal === null && <Editing channel={channel} />}
      <ExportButton channels={[channel.id]} />
      <NeedsRole needed="admin" quiet={refusal !== null}>
        <DeleteButton channel={channel} />
      </NeedsRole>
      {refusal && <p className="soft">{refusal.replace("do this", "change a channel")}</p>}
    </div>
  )
}

function DeleteButton({ channel }: { channel: Channel }) {
  const [deleting, setDeleting] = useState(false)
  return (
    <>
      <button type="button" className="button danger" onClick={() => setDeleting(true)}>
        <Icon name="bin" />
        Delete
      </button>
      {deleting && <DeleteDialog channel={channel} onClose={() => setDeleting(false)} />}
    </>
  )
}

function Editing({ channel }: { channel: Channel }) {
  const process = useChannelAction(channel.id, "process")
  const cancel = useChannelAction(channel.id, "cancel")
  const prices = useRefreshPrices(channel.id)
  const [rereading, setRereading] = useState(false)
  const error = process.error ?? cancel.error ?? prices.error
  const refresh = () =>
    prices.refresh(({ prices, updated_at }) => {
      const count = counted(Object.keys(prices).length, "price", "prices")
      notify(`${count} as of ${formatDay(updated_at.slice(0, 10))}`)
    })

  return (
    <>
      {isRunning(channel) ? (
        <button type="button" className="button" disabled={cancel.isPending} onClick={cancel.run}>
          <Icon name="stop" />
          Cancel run
        </button>
      ) : (
        <>
          <button
            type="button"
            className="button"
            title="Looks for new videos, and reads those that are not read yet"
            disabled={process.isPending}
            onClick={process.run}
          >
            <Icon name="again" />
            Run again
          </button>
          <button
            type="button"
            className="button"
            title="Finds the calls in all transcripts again"
            onClick={() => setRereading(true)}
          >
            <Icon name="read" />
            Read again
          </button>
        </>
      )}
      <button
        type="button"
        className="button"
        title="Fetches the latest prices of its stocks"
        disabled={prices.isPending}
        onClick={refresh}
      >
        <Icon name="price" />
        {prices.isPending ? "Refreshing…" : "Refresh prices"}
      </button>
      {error && (
        <p className="action-error" role="alert">
          <Icon name="warning" />
          {describeError(error)}
        </p>
      )}
      {rereading && <RereadDialog channel={channel} onClose={() => setRereading(false)} />}
    </>
  )
}
