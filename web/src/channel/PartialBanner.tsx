/** Says how much of a channel its figures cover, unless the last run completed. */

import type { Channel, Coverage } from "../api/types"
import { Icon } from "../components/Icon"
import { describeCoverage } from "../score/coverage"
import "../components/States.css"

export function PartialBanner({ channel, coverage }: { channel: Channel; coverage: Coverage }) {
  if (channel.status === "completed" || !coverage.videos) return null
  return (
    <p className="banner partial">
      <Icon name="warning" />
      <span>
        <strong>Partial results:</strong> {describeCoverage(coverage)}.
      </span>
    </p>
  )
}
