import { type ReactNode, useId } from "react"
import "./settings.css"

interface Props {
  title: string
  note: string
  /** True if the reader has chosen it; undefined for what has no default on the server. */
  isOwn?: boolean
  isSaving?: boolean
  onReset?: () => void
  /** Given the ids of its title and of its note. */
  children: (title: string, note: string) => ReactNode
}

/** One setting: what it does, its control, and whether it is the reader's own. */
export function SettingRow({ title, note, isOwn, isSaving = false, onReset, children }: Props) {
  const id = useId()
  return (
    <div className="setting">
      <div className="setting-what">
        <h3 id={`${id}-title`}>{title}</h3>
        <p id={`${id}-note`} className="soft">
          {note}
        </p>
      </div>
      <div className="setting-control">
        {children(`${id}-title`, `${id}-note`)}
        {isOwn !== undefined && (
          <p className="setting-state">
            <span className="soft">{isOwn ? "Your own choice" : "The default"}</span>
            {isOwn && (
              <button
                type="button"
                className="link-button setting-reset"
                disabled={isSaving}
                aria-describedby={`${id}-title`}
                onClick={onReset}
              >
                Use the default
              </button>
            )}
          </p>
        )}
      </div>
    </div>
  )
}
