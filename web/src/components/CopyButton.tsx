import { useState } from "react"
import { Icon } from "./Icon"
import "./CopyButton.css"

const SECONDS = 2

/** Copies a text and briefly says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [said, setSaid] = useState("")
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setSaid("Copied")
    } catch {
      // Not on a page without TLS, or where it is forbidden.
      setSaid("Couldn’t copy")
    }
    setTimeout(() => setSaid(""), SECONDS * 1000)
  }
  return (
    <>
      <button type="button" className="button copy" aria-label={label} onClick={copy}>
        <Icon name={said === "Copied" ? "done" : "copy"} />
        {said || "Copy"}
      </button>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  )
}
