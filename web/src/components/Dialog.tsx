/** A modal dialog on the browser's own element, which traps the focus and restores it. */

import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import { Icon } from "./Icon"
import "./Dialog.css"

interface Props {
  title: string
  onClose: () => void
  /** The element with `data-initial-focus` gets the focus; without one it is the Close button. */
  children: ReactNode
}

export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>("[data-initial-focus]")?.focus()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: clicking beside the dialog is an extra; Escape closes it too.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-body">
        <div className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <button type="button" className="button quiet icon-only" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
