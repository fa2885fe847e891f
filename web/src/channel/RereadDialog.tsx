import { describeError } from "../api/errors"
import { useReread } from "../api/mutations"
import type { Channel } from "../api/types"
import { Dialog } from "../components/Dialog"
import { DialogError } from "../components/DialogError"
import { ReadingCost } from "../reading/ReadingCost"
import { videosToEstimate } from "../reading/reading-cost"
import "../components/Dialog.css"

/** Says what reading again does before it is begun. */
export function RereadDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { reread, error, isPending } = useReread(channel.id)
  const videos = videosToEstimate(channel.video_count)
  return (
    <Dialog title="Read the transcripts again" onClose={onClose}>
      <p>
        Finds the calls in every transcript again, as after an update of this program, without asking YouTube
        for anything. Reviews are kept, and the change log tells which calls changed.
      </p>
      {videos !== null && <ReadingCost videos={videos} />}
      <DialogError sentence={error && describeError(error)} />
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          className="button primary"
          data-initial-focus
          disabled={isPending}
          onClick={() => reread(onClose)}
        >
          {isPending ? "Starting…" : "Read again"}
        </button>
      </div>
    </Dialog>
  )
}
