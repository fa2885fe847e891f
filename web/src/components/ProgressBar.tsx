import type { Channel } from "../api/types"
import { counted, formatCount } from "../text/numbers"
import "./ProgressBar.css"

/** The progress of a run. Until its videos are listed the bar is indeterminate. */
export function ProgressBar({ channel }: { channel: Channel }) {
  const { video_count: total, processed_video_count: done, name } = channel
  const text = total ? `${formatCount(done)} of ${counted(total, "video", "videos")}` : "Finding videos…"
  return (
    <div className="progress">
      <progress aria-label={`Progress of ${name}`} {...(total ? { value: done, max: total } : {})}>
        {text}
      </progress>
      <span className="progress-text">{text}</span>
    </div>
  )
}
