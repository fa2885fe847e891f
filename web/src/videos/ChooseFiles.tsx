import type { ReactNode } from "react"
import { Icon } from "../components/Icon"
import { useRefusal } from "../components/NeedsRole"
import { TRANSCRIPT_TYPES } from "./transcript-files"
import "./VideosTab.css"

interface Props {
  label: string
  children: ReactNode
  several?: boolean
  disabled: boolean
  onFiles: (files: File[]) => void
}

/** A button that asks for files, on the browser's own field. */
export function ChooseFiles({ label, children, several = false, disabled, onFiles }: Props) {
  if (useRefusal("editor") !== null) return null
  return (
    <label className="button choose-files" aria-disabled={disabled}>
      <Icon name="file" />
      {children}
      <input
        type="file"
        aria-label={label}
        accept={TRANSCRIPT_TYPES}
        multiple={several}
        disabled={disabled}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // The same file can be chosen again.
          event.target.value = ""
        }}
      />
    </label>
  )
}
