import { useLocation } from "wouter"
import { useDeleteChannel } from "../api/changes"
import { explain } from "../api/problems"
import type { Channel } from "../api/types"
import { Dialog } from "../parts/Dialog"
import { Icon } from "../parts/Icon"
import { notify } from "../parts/notices"
import { counted } from "../text/numbers"

export function DeleteDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { mutate, error, isPending } = useDeleteChannel(channel.id)
  const [, navigate] = useLocation()
  const remove = () =>
    mutate(undefined, {
      onSuccess: () => {
        onClose()
        navigate("/")
        notify("The channel was deleted.")
      },
    })
  return (
    <Dialog title="Delete this channel?" onClose={onClose}>
      <p>
        <bdi className="strong">{channel.name}</bdi> goes with its{" "}
        {counted(channel.video_count, "video", "videos")}, all its calls and its log. This cannot be undone.
      </p>
      {error && (
        <p className="field-help wrong" role="alert">
          <Icon name="warning" />
          {explain(error)}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" className="button primary danger" disabled={isPending} onClick={remove}>
          {isPending ? "Deleting…" : "Delete"}
        </button>
      </div>
    </Dialog>
  )
}
