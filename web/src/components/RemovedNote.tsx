import { describeRemoved } from "../domain/removed-videos"
import "./RemovedNote.css"

/** Marks what comes from a video that is no longer on YouTube. */
export function RemovedNote({ removedAt }: { removedAt: string | null | undefined }) {
  return removedAt ? <p className="removed-note">{describeRemoved(removedAt)}</p> : null
}
