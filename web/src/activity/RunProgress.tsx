import type { Run } from "../api/types"
import { describeProgress, isUnderWay, videosDone } from "../domain/runs"
import "../components/ProgressBar.css"

/** How far a run is, or was when it ended. Until its videos are listed the bar is indeterminate. */
export function RunProgress({ run }: { run: Run }) {
  const text = describeProgress(run)
  if (!isUnderWay(run)) return <span className="progress-text">{text}</span>
  const known = run.videos ? { value: videosDone(run), max: run.videos } : {}
  return (
    <div className="progress">
      <progress aria-label={`Progress of ${run.channel_name}`} {...known}>
        {text}
      </progress>
      <span className="progress-text">{text}</span>
    </div>
  )
}
