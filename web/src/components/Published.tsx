/** When a video was published: its day, and under it the time where it is known, both in New York. */

import type { Video } from "../api/types"
import { formatDay, formatNewYorkTime } from "../text/dates"
import "./Published.css"

export function Published({ video }: { video: Video }) {
  const { published_at: day, published_time: time } = video
  return (
    <time dateTime={time ?? day}>
      {formatDay(day)}
      {time && <span className="published-time"> {formatNewYorkTime(time)} in New York</span>}
    </time>
  )
}
