import type { Channel } from "../api/types"
import { counted, formatCount } from "../text/numbers"

/** How far a run has come. Until its videos are known the bar only moves. */
export function ProgressBar({ channel }: { channel: Channel }) {
  const { video_count: total, processed_video_count: done, name } = channel
  const words = total ? `${formatCount(done)} of ${counted(total, "video", "videos")}` : "Looking for videos…"
  return (
    <div className="progress">
      <progress aria-label={`Progress of ${name}`} {...(total ? { value: done, max: total } : {})}>
        {words}
      </progress>
      <span className="progress-words">{words}</span>
    </div>
  )
}
