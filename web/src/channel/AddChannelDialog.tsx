/** Adds a channel. Its URL is checked as it is typed, and again by the server. */

import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { Link, useLocation } from "wouter"
import { describeError, existingChannelId } from "../api/errors"
import { useAddChannel } from "../api/mutations"
import { setupQuery } from "../api/queries"
import { Dialog } from "../components/Dialog"
import { Icon } from "../components/Icon"
import { ReadingCost } from "../reading/ReadingCost"
import { checkChannelUrl } from "../text/channel-url"
import "../components/States.css"
import "../components/Dialog.css"

const MONTHS = [6, 12, 24, 36]

export function AddChannelDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("")
  const [months, setMonths] = useState(12)
  const { add, error, isPending, reset } = useAddChannel()
  const [, navigate] = useLocation()
  const field = useId()
  const checked = checkChannelUrl(typed)
  const existing = existingChannelId(error)
  const isDemo = useQuery(setupQuery()).data?.videos === "demo"

  return (
    <Dialog title="Add a channel" onClose={onClose}>
      {isDemo && (
        <p className="banner">
          <Icon name="info" />
          <span>
            This is the demo, which knows its three fictional channels alone. For real ones, restart it with{" "}
            <code>PROVIDERS=live</code> and a <code>YOUTUBE_API_KEY</code>.
          </span>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (checked.state !== "valid" || isPending) return
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
          // Not of type url: an address without a scheme is accepted.
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-initial-focus
          placeholder="https://www.youtube.com/@name"
          value={typed}
          aria-invalid={checked.state === "invalid" || Boolean(error)}
          aria-describedby={`${field}-help`}
          onChange={(event) => {
            setTyped(event.target.value)
            if (error) reset()
          }}
        />
        <p id={`${field}-help`} className={`field-help ${error ? "invalid" : checked.state}`} role="status">
          {error && <Icon name="warning" />}
          {error ? describeError(error) : hintFor(checked)}
          {existing && (
            <Link className="touch" href={`/channels/${existing}`} onClick={onClose}>
              Open it
            </Link>
          )}
        </p>
        <fieldset className="choice">
          <legend className="field-label">Time range</legend>
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
        <ReadingCost />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={checked.state !== "valid" || isPending}>
            {isPending ? "Adding…" : "Add channel"}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function hintFor(checked: ReturnType<typeof checkChannelUrl>) {
  if (checked.state === "empty") return "Paste the channel’s YouTube link or its @handle."
  if (checked.state !== "valid") return checked.hint
  return (
    <>
      <Icon name="done" />
      <span dir="auto">{checked.name}</span>
    </>
  )
}
