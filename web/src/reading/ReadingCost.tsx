/** Says who reads, where transcripts are sent and about what it costs, before reading is begun. */

import { useQuery } from "@tanstack/react-query"
import { setupQuery } from "../api/queries"
import { describeCost, describeReader } from "./reading-cost"
import "./ReadingCost.css"

/** Without a number of videos, the estimate is for the API's own. */
export function ReadingCost({ videos }: { videos?: number }) {
  const setup = useQuery(setupQuery(videos)).data
  if (!setup) return null
  return (
    <p className="reading-cost soft">
      {describeReader(setup.reader)} {describeCost(setup)}
    </p>
  )
}
