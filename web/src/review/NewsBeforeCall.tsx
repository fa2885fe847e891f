/** The headlines in the week before a call whose result is not at hand: they are read when it is opened. */

import { useQuery } from "@tanstack/react-query"
import { newsSummaryQuery } from "../api/news-queries"
import type { Video } from "../api/types"
import { NewsBefore } from "../news/NewsBefore"
import { sumOfDays, weekBefore } from "../news/news"
import "../news/NewsBefore.css"

interface Props {
  ticker: string
  video: Video
  onLeave: () => void
}

export function NewsBeforeCall({ ticker, video, onLeave }: Props) {
  const summary = useQuery(newsSummaryQuery(ticker, weekBefore(video)))
  return (
    // Its line is there before it is known whether there are any, so that nothing moves.
    <p className="news-before-line">
      {summary.data && (
        <NewsBefore ticker={ticker} counts={sumOfDays(summary.data.days)} video={video} onLeave={onLeave} />
      )}
    </p>
  )
}
