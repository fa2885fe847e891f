import { useState } from "react"
import { useChannelAction, useRefreshPrices } from "../api/changes"
import { explain } from "../api/problems"
import { isRunning } from "../api/queries"
import type { Channel } from "../api/types"
import { Icon } from "../parts/Icon"
import { notify } from "../parts/notices"
import { counted } from "../text/numbers"
import { DeleteDialog } from "./DeleteDialog"

export function ChannelActions({ channel }: { channel: Channel }) {
  const process = useChannelAction(channel.id, "process")
  const cancel = useChannelAction(channel.id, "cancel")
  const prices = useRefreshPrices(channel.id)
  const [deleting, setDeleting] = useState(false)
  const problem = process.error ?? cancel.error ?? prices.error
  const refresh = () =>
    prices.refresh((count) => notify(`${counted(count, "price is", "prices are")} up to date.`))

  return (
    <div className="actions">
      {isRunning(channel) ? (
        <button type="button" className="button" disabled={cancel.isPending} onClick={cancel.act}>
          <Icon name="stop" />
          Cancel
        </button>
      ) : (
        <button type="button" className="button" disabled={process.isPending} onClick={process.act}>
          <Icon name="again" />
          Process again
        </button>
      )}
      <button type="button" className="button" disabled={prices.isPending} onClick={refresh}>
        <Icon name="price" />
        {prices.isPending ? "Refreshing…" : "Refresh prices"}
      </button>
      <button type="button" className="button danger" onClick={() => setDeleting(true)}>
        <Icon name="bin" />
        Delete
      </button>
      {problem && (
        <p className="action-problem" role="alert">
          <Icon name="warning" />
          {explain(problem)}
        </p>
      )}
      {deleting && <DeleteDialog channel={channel} onClose={() => setDeleting(false)} />}
    </div>
  )
}
