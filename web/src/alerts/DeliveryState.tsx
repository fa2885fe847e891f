import type { AlertSettings } from "../api/types"
import { Icon } from "../components/Icon"
import { formatTimestamp } from "../text/dates"
import { counted } from "../text/numbers"
import "./AlertSettingsForm.css"
import "../activity/RunRow.css"

/** When something was last delivered, and what went wrong since. */
export function DeliveryState({ settings }: { settings: AlertSettings }) {
  const { last_delivered_at: last, last_problem: problem, failing } = settings
  return (
    <div className="delivery-state">
      <p className="soft">
        {last ? (
          <>
            Last delivered <time dateTime={last}>{formatTimestamp(last)}</time>
          </>
        ) : (
          "Nothing has been delivered yet"
        )}
        {failing > 0 && ` · ${counted(failing, "message is", "messages are")} being tried again`}
      </p>
      {problem && (
        <p className="run-error" dir="auto">
          <Icon name="warning" />
          <span>Last problem: {problem}</span>
        </p>
      )}
    </div>
  )
}
