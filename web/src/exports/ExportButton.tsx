/** Opens the dialog of a new export, which is loaded when it is first opened. */

import { lazy, Suspense, useState } from "react"
import { createPortal } from "react-dom"
import { ErrorBoundary } from "../components/ErrorBoundary"
import { Icon } from "../components/Icon"

const ExportDialog = lazy(() => import("./ExportDialog"))

interface Props {
  /** The ids of the channels to offer; without them the dialog lets all be chosen from. */
  channels?: readonly string[]
  label?: string
  isPrimary?: boolean
}

export function ExportButton({ channels, label = "Export", isPrimary = false }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={`button ${isPrimary ? "primary" : ""}`} onClick={() => setOpen(true)}>
        <Icon name={isPrimary ? "add" : "download"} />
        {label}
      </button>
      {isOpen &&
        // Not inside the bar of chosen channels, which is read out when it changes.
        createPortal(
          <ErrorBoundary onClose={() => setOpen(false)}>
            <Suspense>
              <ExportDialog {...(channels ? { channels } : {})} onClose={() => setOpen(false)} />
            </Suspense>
          </ErrorBoundary>,
          document.body,
        )}
    </>
  )
}
