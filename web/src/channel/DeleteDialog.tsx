import { useLocation } from "wouter"
import { useDeleteChannel } from "../api/mutations"
import type { Channel } from "../api/types"
import { ConfirmDialog } from "../components/ConfirmDialog"
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
    <ConfirmDialog
      title="Delete this channel?"
      error={error}
      isPending={isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        <bdi className="strong">{channel.name}</bdi> will be deleted with its{" "}
        {counted(channel.video_count, "video", "videos")} and all that belongs to them: mentions, reviews,
        notes and the log. This can’t be undone.
      </p>
    </ConfirmDialog>
  )
}
