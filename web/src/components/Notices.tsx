import { Icon } from "./Icon"
import { dismiss, useNotice } from "./notices"
import "./Notices.css"

export function Notices() {
  const notice = useNotice()
  return (
    <div className="notices" aria-live="polite">
      {notice && (
        <div key={notice.number} className={`notice ${notice.isError ? "problem" : ""}`}>
          <Icon name={notice.isError ? "warning" : "done"} />
          <span>{notice.message}</span>
          {notice.action && (
            <button
              type="button"
              className="button quiet"
              onClick={() => {
                dismiss()
                notice.action?.run()
              }}
            >
              {notice.action.label}
            </button>
          )}
          <button type="button" className="button quiet icon-only" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
