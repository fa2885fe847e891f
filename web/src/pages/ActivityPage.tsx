/** The runs over all channels, polled while one is under way. The filter is part of the URL. */

import { useId } from "react"
import { RunList } from "../activity/RunList"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { useUrlState } from "../components/url-state"
import { RUN_STATUS_LABELS, RUN_STATUSES } from "../domain/runs"

export default function ActivityPage() {
  useTitle("Activity")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const [search, change] = useUrlState()
  const status = RUN_STATUSES.find((each) => each === search.get("status")) ?? null
  const field = useId()
  return (
    <div className="wide page list-page">
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Activity
          </h1>
          <p className="soft">Every run over every channel: what began it, what it read and how it ended.</p>
        </div>
        <search className="filter">
          <label htmlFor={field}>Status</label>
          <select
            id={field}
            className="field"
            value={status ?? ""}
            onChange={(event) => change({ status: event.target.value || null })}
          >
            <option value="">All</option>
            {RUN_STATUSES.map((each) => (
              <option key={each} value={each}>
                {RUN_STATUS_LABELS[each]}
              </option>
            ))}
          </select>
        </search>
      </div>
      <RunList status={status} />
    </div>
  )
}
