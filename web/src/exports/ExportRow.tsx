/** One export: what it holds, how far it is, and its file. */

import { useState } from "react"
import { flushSync } from "react-dom"
import { describeError } from "../api/errors"
import { useDeleteExport, useDownload } from "../api/export-mutations"
import type { Export } from "../api/types"
import { ConfirmDialog } from "../components/ConfirmDialog"
import { Icon } from "../components/Icon"
import { notify } from "../components/notices"
import { formatTimestamp } from "../text/dates"
import {
  describeChannels,
  describeExpiry,
  describeWriting,
  EXPORT_LABELS,
  FORMAT_LABELS,
  formatBytes,
  isOpen,
} from "./exports"
import "./ExportRow.css"
import "../components/ProgressBar.css"

interface Props {
  item: Export
  names: ReadonlyMap<string, string>
  onDeleted: () => void
}

export function ExportRow({ item, names, onDeleted }: Props) {
  const download = useDownload()
  const remove = useDeleteExport()
  const [isDeleting, setDeleting] = useState(false)
  const what = describeChannels(item.channel_ids, names)
  const name = `${what}, ${FORMAT_LABELS[item.format]}, ${formatTimestamp(item.created_at)}`
  // A promise, because this row is unmounted by the time it settles.
  const confirmDelete = () =>
    remove.mutateAsync(item.id).then(
      () => {
        // At once: nothing outside of an open dialog can get the focus.
        flushSync(() => setDeleting(false))
        onDeleted()
      },
      () => null,
    )
  return (
    <li className="export-row">
      <div className="export-what">
        <p className="export-name" dir="auto">
          {what}
        </p>
        <p className="soft export-facts">
          <span>{FORMAT_LABELS[item.format]}</span>
          <time dateTime={item.created_at}>{formatTimestamp(item.created_at)}</time>
        </p>
      </div>
      <div className="export-state">
        <span className={`badge status-${item.status.toLowerCase()}`}>
          <span className="dot" aria-hidden="true" />
          {EXPORT_LABELS[item.status]}
        </span>
        {isOpen(item) && <Progress item={item} what={what} />}
        {item.status === "COMPLETED" && (
          <span className="soft">
            {item.size_bytes !== null && `${formatBytes(item.size_bytes)}, `}
            {describeExpiry(item.expires_at, new Date())}
          </span>
        )}
        {item.status === "FAILED" && (
          <p className="export-problem">{item.error_message ?? "It could not be written."}</p>
        )}
      </div>
      <div className="export-actions">
        {item.status === "COMPLETED" && (
          <button
            type="button"
            className="button"
            aria-label={`Download ${name}`}
            disabled={download.isPending}
            onClick={() =>
              download.mutate(item.id, {
                onError: (error) => notify(describeError(error), { isError: true }),
              })
            }
          >
            <Icon name="download" />
            Download
          </button>
        )}
        <button
          type="button"
          className="button quiet icon-only"
          aria-label={`Delete ${name}`}
          title="Delete"
          onClick={() => setDeleting(true)}
        >
          <Icon name="bin" />
        </button>
      </div>
      {isDeleting && (
        <ConfirmDialog
          title="Delete this export?"
          error={remove.error}
          isPending={remove.isPending}
          onClose={() => setDeleting(false)}
          onConfirm={confirmDelete}
        >
          <p>
            {isOpen(item) ? "It will not be written any further." : "Its file will be gone."} The channels
            stay as they are.
          </p>
        </ConfirmDialog>
      )}
    </li>
  )
}

function Progress({ item, what }: { item: Export; what: string }) {
  const text = describeWriting(item)
  const { channels, channels_done } = item
  return (
    <div className="progress">
      <progress
        aria-label={`Progress of the export of ${what}`}
        {...(channels ? { value: channels_done, max: channels } : {})}
      >
        {text}
      </progress>
      <span className="progress-text">{text}</span>
    </div>
  )
}
