/** The key that signs webhooks: hidden until it is asked for. */

import { useState } from "react"
import { CopyButton } from "../components/CopyButton"
import "./AlertSettingsForm.css"
import "../review/QueueItem.css"

interface Props {
  signingKey: string
  onRotate: () => void
  disabled: boolean
}

export function SigningKey({ signingKey, onRotate, disabled }: Props) {
  const [isShown, setShown] = useState(false)
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="signing-key">
      <span className="field-label">Signing key</span>
      <p className="key-value code">{isShown ? signingKey : "•".repeat(24)}</p>
      <div className="answers">
        <button
          type="button"
          className="button"
          aria-pressed={isShown}
          aria-label="Show the signing key"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : "Show"}
        </button>
        <CopyButton text={signingKey} label="Copy the signing key" />
        <button
          type="button"
          className={`button ${isAsking ? "danger" : ""}`}
          disabled={disabled}
          onClick={() => {
            if (isAsking) onRotate()
            setAsking(!isAsking)
          }}
          onBlur={() => setAsking(false)}
        >
          {isAsking ? "Replace it now" : "Replace"}
        </button>
      </div>
      <p className="field-help" role="status">
        {isAsking
          ? "The key in use ends at once: anyone who checks signatures needs the new one."
          : "Each message carries an HMAC made with it, so that you can tell it is ours."}
      </p>
    </div>
  )
}
