/** The state of each uploaded file. */

import { Icon } from "../components/Icon"
import { counted, formatCount } from "../text/numbers"
import type { FileProgress } from "./upload-files"
import "./VideosTab.css"
import "../components/ProgressBar.css"

const WORDS: Record<FileProgress["state"], string> = {
  waiting: "Waiting",
  sending: "Sending…",
  done: "Uploaded, being read",
  failed: "Not uploaded",
}

export function FileList({
  files,
  onClear,
}: {
  files: readonly FileProgress[]
  onClear: (() => void) | null
}) {
  if (!files.length) return null
  const done = files.filter(({ state }) => state === "done").length
  const over = files.filter(({ state }) => state === "done" || state === "failed").length
  const text = `${formatCount(done)} of ${counted(files.length, "file", "files")} uploaded`
  return (
    <section className="card panel files" aria-label="Files uploaded">
      <div className="progress">
        <progress aria-label="Files uploaded" value={over} max={files.length}>
          {text}
        </progress>
        <span className="progress-text" role="status">
          {text}
          {over - done > 0 && `, ${formatCount(over - done)} not`}
        </span>
      </div>
      <ol>
        {files.map(({ name, title, state, problem }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name, and none moves.
          <li key={place} className={state}>
            <Icon name={state === "failed" ? "warning" : state === "done" ? "done" : "file"} />
            <span className="grow">
              <bdi className="strong">{name}</bdi>
              {title && <bdi className="soft file-title">{title}</bdi>}
            </span>
            <span className="file-state">{problem ?? WORDS[state]}</span>
          </li>
        ))}
      </ol>
      {onClear && (
        <button type="button" className="button quiet" onClick={onClear}>
          Hide
        </button>
      )}
    </section>
  )
}
