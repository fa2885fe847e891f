import { useLocation } from "wouter"
import { describeError } from "../api/errors"
import { useDeleteChannel } from "../api/mutations"
import type { Channel } from "../api/types"
import { Dialog } from "../components/Dialog"
import { Icon } from "../components/Icon"
import { notify } from "../components/notices"
import { counted } from "../text/numbers"

export function DeleteDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { mutate, error, isPending } = useDeleteChannel(channel.id)
  const [, navigate] = useLocation()
  const remove = () =>
    mutate(undefined, {
      onSuccess: () => {
        onClose()
        navigate("/")
        notify("Channel deleted")
      },
    })
  return (
    <Dialog title="Delete this channel?" onClose={onClose}>
      <p>
        <bdi className="strong">{channel.name}</bdi> will be deleted with its{" "}
        {counted(channel.video_count, "video", "videos")} and all that belongs to them: mentions, reviews,
        notes and the log. This can’t be undone.
      </p>
      {error && (
        <p className="field-help invalid" role="alert">
          <Icon name="warning" />
          {describeError(error)}
        </p>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" data-initial-focus onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button primary danger" disabled={isPending} onClick={remove}>
          {isPending ? "Deleting…" : "Delete"}
        </button>
      </div>
    </Dialog>
  )
}
