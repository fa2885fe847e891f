/** Asks before something is deleted that cannot be brought back. */

import type { ReactNode } from "react"
import { describeError } from "../api/errors"
import { Dialog } from "./Dialog"
import { DialogError } from "./DialogError"
import "./Dialog.css"

interface Props {
  title: string
  children: ReactNode
  error: unknown
  isPending: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({ title, children, error, isPending, onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <DialogError sentence={error ? describeError(error) : null} />
      <div className="dialog-actions">
        <button type="button" className="button" data-initial-focus onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button primary danger" disabled={isPending} onClick={onConfirm}>
          {isPending ? "Deleting…" : "Delete"}
        </button>
      </div>
    </Dialog>
  )
}
