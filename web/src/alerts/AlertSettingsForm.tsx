/** Which alerts are sent, and where. Edits are kept until they are saved or conflict with a newer version. */

import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { useSaveAlertSettings, useSendTest } from "../api/alert-mutations"
import { alertSettingsQuery } from "../api/alert-queries"
import { describeError, needsToken } from "../api/errors"
import { isOutdated } from "../api/evidence-mutations"
import { useLoadError } from "../api/load-error"
import type { AlertSettings, NewAlertSettings } from "../api/types"
import { Icon } from "../components/Icon"
import { RowsSkeleton } from "../components/Skeletons"
import { ErrorState } from "../components/States"
import { TokenNeeded } from "../components/TokenNeeded"
import { WANTED_KINDS, type WantedKind } from "./alerts"
import { DeliveryState } from "./DeliveryState"
import { SigningKey } from "./SigningKey"
import "./AlertSettingsForm.css"

type Draft = Omit<NewAlertSettings, "version" | "rotate_key">

export function AlertSettingsForm() {
  const query = useQuery(alertSettingsQuery())
  const loadError = useLoadError(query)
  if (needsToken(loadError)) {
    return <TokenNeeded title="Your settings need the access token" query={query} />
  }
  if (loadError)
    return <ErrorState title="Couldn’t load the settings" error={loadError} retry={query.refetch} />
  if (!query.data) return <RowsSkeleton count={6} />
  return <Form settings={query.data} />
}

function Form({ settings }: { settings: AlertSettings }) {
  const [changed, setChanged] = useState<Draft | null>(null)
  const [said, setSaid] = useState("")
  const save = useSaveAlertSettings()
  const test = useSendTest()
  const draft = changed ?? draftOf(settings)
  const [webhook, email] = [useId(), useId()]
  const change = (part: Partial<Draft>) => {
    setChanged({ ...draft, ...part })
    setSaid("")
    save.reset()
  }
  const send = (body: Draft, done: string, rotate_key = false) =>
    save.mutate(
      { ...body, rotate_key, version: settings.version },
      {
        onSuccess: () => {
          setChanged(null)
          setSaid(done)
        },
        onError: (error) => {
          if (!isOutdated(error)) return
          setChanged(null)
          setSaid(
            "The settings were changed elsewhere. These are the present ones: please make your change again.",
          )
        },
      },
    )
  const problem = save.error && !isOutdated(save.error) ? describeError(save.error) : ""
  const isWebhookProblem = Boolean(problem) && Boolean(draft.webhook_url)
  const toggle = (kind: WantedKind, on: boolean) =>
    change({
      kinds: WANTED_KINDS.map((each) => each.kind).filter((each) =>
        each === kind ? on : draft.kinds.includes(each),
      ),
    })
  return (
    <form
      className="alert-settings"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) send(draft, "Saved")
      }}
    >
      <section className="card panel" aria-label="Alerts to send">
        <h2 className="section-title">What</h2>
        <fieldset>
          <legend className="visually-hidden">Kinds of alert</legend>
          {WANTED_KINDS.map(({ kind, label, note }) => (
            <label key={kind} className="check wanted">
              <input
                type="checkbox"
                checked={draft.kinds.includes(kind)}
                onChange={(event) => toggle(kind, event.target.checked)}
              />
              <span>
                {label}
                <span className="cell-second soft">{note}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Choice
          legend="Of these channels"
          name="channels"
          value={draft.channels}
          choices={[
            ["all", "All"],
            ["watched", "Watched"],
          ]}
          onChoice={(channels) => change({ channels })}
        />
        <Choice
          legend="How often"
          name="digest"
          value={draft.digest}
          choices={[
            ["none", "At once"],
            ["daily", "Once a day"],
          ]}
          onChoice={(digest) => change({ digest })}
        />
      </section>
      <section className="card panel" aria-label="Where to send them">
        <h2 className="section-title">Where</h2>
        <label className="field-label" htmlFor={webhook}>
          Webhook address
        </label>
        <input
          id={webhook}
          className="field"
          type="text"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://example.com/alerts"
          value={draft.webhook_url ?? ""}
          aria-invalid={isWebhookProblem}
          aria-describedby={`${webhook}-help`}
          onChange={(event) => change({ webhook_url: event.target.value.trim() || null })}
        />
        <p id={`${webhook}-help`} className={`field-help ${problem ? "invalid" : ""}`}>
          {problem ? (
            <>
              <Icon name="warning" />
              {problem}
            </>
          ) : (
            "A public https address. Each message is a signed POST of JSON, repeated until it is taken."
          )}
        </p>
        {settings.signing_key && (
          <SigningKey
            signingKey={settings.signing_key}
            disabled={save.isPending || changed !== null}
            onRotate={() => send(draftOf(settings), "The signing key was replaced", true)}
          />
        )}
        <label className="field-label" htmlFor={email}>
          E-mail address
        </label>
        <input
          id={email}
          className="field"
          type="email"
          autoComplete="email"
          disabled={!settings.email_available}
          value={draft.email ?? ""}
          aria-describedby={`${email}-help`}
          onChange={(event) => change({ email: event.target.value.trim() || null })}
        />
        <p id={`${email}-help`} className="field-help">
          {describeEmail(settings)}
        </p>
        <DeliveryState settings={settings} />
      </section>
      <div className="settings-actions">
        <button type="submit" className="button primary" disabled={save.isPending || changed === null}>
          {save.isPending ? "Saving…" : "Save"}
        </button>
        <button
          type="button"
          className="button"
          disabled={test.isPending || changed !== null || (!settings.webhook_url && !settings.email)}
          onClick={() => {
            setSaid("")
            test.mutate()
          }}
        >
          {test.isPending ? "Sending…" : "Send a test"}
        </button>
        <p role="status" className={problem || test.error || test.data?.problem ? "wrong" : "soft"}>
          {problem || said || describeTest(test)}
        </p>
      </div>
    </form>
  )
}

function draftOf({ webhook_url, email, kinds, channels, digest }: AlertSettings): Draft {
  return { webhook_url, email, kinds, channels, digest }
}

function describeEmail({ email_available, email_confirmed, email }: AlertSettings): string {
  if (!email_available) return "E-mail is sent by deployments on AWS only. Here, use the webhook or the feed."
  if (!email) return "You get a message to confirm the address first."
  return email_confirmed
    ? "Confirmed."
    : "Not confirmed yet: follow the link in the message that was sent to it."
}

function describeTest({ data, error }: ReturnType<typeof useSendTest>): string {
  if (error) return describeError(error)
  if (!data) return ""
  return data.delivered ? "The test was delivered." : `The test was not delivered. ${data.problem ?? ""}`
}

interface ChoiceProps<Value extends string> {
  legend: string
  name: string
  value: Value
  choices: readonly (readonly [Value, string])[]
  onChoice: (value: Value) => void
}

function Choice<Value extends string>({ legend, name, value, choices, onChoice }: ChoiceProps<Value>) {
  return (
    <fieldset className="choice">
      <legend className="field-label">{legend}</legend>
      <div className="segments">
        {choices.map(([each, label]) => (
          <label key={each}>
            <input type="radio" name={name} checked={value === each} onChange={() => onChoice(each)} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
