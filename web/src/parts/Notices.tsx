import { Icon } from "./Icon"
import { dismiss, useNotice } from "./notices"

export function Notices() {
  const notice = useNotice()
  return (
    <div className="notices" aria-live="polite">
      {notice && (
        <div key={notice.number} className={`notice ${notice.problem ? "problem" : ""}`}>
          <Icon name={notice.problem ? "warning" : "done"} />
          <span>{notice.sentence}</span>
          <button type="button" className="button quiet icon-only" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
