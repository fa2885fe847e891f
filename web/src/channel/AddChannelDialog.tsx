/** Adds a channel: its URL is checked while it is typed, and again by the server. */

import { useId, useState } from "react"
import { useLocation } from "wouter"
import { useAddChannel } from "../api/changes"
import { explain } from "../api/problems"
import { Dialog } from "../parts/Dialog"
import { Icon } from "../parts/Icon"
import { checkChannelUrl } from "../text/channel-url"

const MONTHS = [6, 12, 24, 36]

export function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("")
  const [months, setMonths] = useState(12)
  const { add, error, isPending, reset } = useAddChannel()
  const [, navigate] = useLocation()
  const field = useId()
  const checked = checkChannelUrl(typed)

  return (
    <Dialog title="Add a channel" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (checked.state !== "right" || isPending) return
          add({ url: checked.url, time_range_months: months }, (added) => {
            onClose()
            navigate(`/channels/${added.id}`)
          })
        }}
      >
        <label className="field-label" htmlFor={field}>
          Channel URL
        </label>
        <input
          id={field}
          className="field"
          // Not of type url: an address without its scheme is fine.
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://www.youtube.com/@name"
          value={typed}
          aria-invalid={checked.state === "wrong" || Boolean(error)}
          aria-describedby={`${field}-help`}
          onChange={(event) => {
            setTyped(event.target.value)
            if (error) reset()
          }}
        />
        <p id={`${field}-help`} className={`field-help ${error ? "wrong" : checked.state}`} role="status">
          {error && <Icon name="warning" />}
          {error ? explain(error) : helpFor(checked)}
        </p>
        <fieldset className="choice">
          <legend className="field-label">How far back</legend>
          <div className="segments">
            {MONTHS.map((number) => (
              <label key={number}>
                <input
                  type="radio"
                  name="months"
                  value={number}
                  checked={months === number}
                  onChange={() => setMonths(number)}
                />
                <span>{number} months</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={checked.state !== "right" || isPending}>
            {isPending ? "Adding…" : "Add channel"}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function helpFor(checked: ReturnType<typeof checkChannelUrl>) {
  if (checked.state === "empty") return "The address of the channel’s page on YouTube, or its @handle."
  if (checked.state !== "right") return checked.sentence
  return (
    <>
      <Icon name="done" />
      <span dir="auto">{checked.name}</span>
    </>
  )
}
