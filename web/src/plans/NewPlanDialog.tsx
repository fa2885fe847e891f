/** Makes a plan from channel links: each is added and, when its first run has ended, scored. */

import { useId, useState } from "react"
import { useLocation } from "wouter"
import { useCreatePlan } from "../api/activity-mutations"
import { describeError } from "../api/errors"
import { Dialog } from "../components/Dialog"
import { Icon } from "../components/Icon"
import { counted } from "../text/numbers"
import { tasksFromLinks } from "./plans"
import "./NewPlanDialog.css"
import "../components/Dialog.css"

const MOST_LETTERS = 200
const MOST_PROBLEMS = 3

export function NewPlanDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("")
  const [text, setText] = useState("")
  const { create, error, isPending, reset } = useCreatePlan()
  const [, navigate] = useLocation()
  const [nameField, linksField] = [useId(), useId()]
  const { tasks, channels, problems } = tasksFromLinks(text)
  const isReady = name.trim() !== "" && tasks.length > 0 && problems.length === 0
  return (
    <Dialog title="New plan" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReady || isPending) return
          create({ name: name.trim(), tasks }, (plan) => {
            onClose()
            navigate(`/plans/${plan.id}`)
          })
        }}
      >
        <p className="soft">Adds each channel, reads its videos and scores it.</p>
        <label className="field-label" htmlFor={nameField}>
          Name
        </label>
        <input
          id={nameField}
          className="field plan-name"
          type="text"
          autoComplete="off"
          maxLength={MOST_LETTERS}
          data-initial-focus
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            if (error) reset()
          }}
        />
        <label className="field-label" htmlFor={linksField}>
          Channel links, one a line
        </label>
        <textarea
          id={linksField}
          className="field"
          rows={7}
          autoCapitalize="none"
          spellCheck={false}
          placeholder={"https://www.youtube.com/@name\n@another"}
          value={text}
          aria-invalid={problems.length > 0 || Boolean(error)}
          aria-describedby={`${linksField}-help`}
          onChange={(event) => {
            setText(event.target.value)
            if (error) reset()
          }}
        />
        <div
          id={`${linksField}-help`}
          className={`field-help lines ${error || problems.length ? "invalid" : ""}`}
          role="status"
        >
          {error && (
            <p>
              <Icon name="warning" /> {describeError(error)}
            </p>
          )}
          {problems.slice(0, MOST_PROBLEMS).map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
          {problems.length > MOST_PROBLEMS && (
            <p>and {counted(problems.length - MOST_PROBLEMS, "more line", "more lines")}</p>
          )}
          {!error && !problems.length && (
            <p>
              {channels
                ? `${counted(channels, "channel", "channels")}, ${counted(tasks.length, "task", "tasks")}`
                : "Paste YouTube links or @handles."}
            </p>
          )}
        </div>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!isReady || isPending}>
            {isPending ? "Starting…" : "Start plan"}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
