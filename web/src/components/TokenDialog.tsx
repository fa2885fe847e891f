/** Asks for the access token when the API requires one. */

import { useId, useState } from "react"
import { useTokenRequest } from "../api/access-token"
import { Dialog } from "./Dialog"
import "./Dialog.css"

export function TokenDialog() {
  const request = useTokenRequest()
  const [token, setToken] = useState("")
  const field = useId()
  if (!request) return null
  const submit = (value: string | null) => {
    setToken("")
    request.submit(value)
  }
  return (
    <Dialog title="Access token" onClose={() => submit(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit(token.trim() || null)
        }}
      >
        <p className="soft">This requires a token. It is kept until you close this tab.</p>
        <label className="field-label" htmlFor={field}>
          Token
        </label>
        <input
          id={field}
          className="field"
          type="password"
          autoComplete="off"
          data-initial-focus
          value={token}
          aria-describedby={`${field}-help`}
          aria-invalid={request.rejected}
          onChange={(event) => setToken(event.target.value)}
        />
        <p id={`${field}-help`} className={`field-help ${request.rejected ? "wrong" : ""}`} role="status">
          {request.rejected ? "That token wasn’t accepted. Try another." : ""}
        </p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={() => submit(null)}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!token.trim()}>
            Continue
          </button>
        </div>
      </form>
    </Dialog>
  )
}
