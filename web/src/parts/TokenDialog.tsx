/** Asks for the access token when the API wants one. */

import { useId, useState } from "react"
import { useTokenQuestion } from "../api/access-token"
import { Dialog } from "./Dialog"

export function TokenDialog() {
  const question = useTokenQuestion()
  const [token, setToken] = useState("")
  const field = useId()
  if (!question) return null
  const answer = (given: string | null) => {
    setToken("")
    question.answer(given)
  }
  return (
    <Dialog title="Access token" onClose={() => answer(null)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          answer(token.trim() || null)
        }}
      >
        <p className="soft">
          Anyone may read here; changing things takes a token. It is kept until you close this browser tab.
        </p>
        <label className="field-label" htmlFor={field}>
          Token
        </label>
        <input
          id={field}
          className="field"
          type="password"
          autoComplete="off"
          value={token}
          aria-describedby={`${field}-help`}
          aria-invalid={question.refused}
          onChange={(event) => setToken(event.target.value)}
        />
        <p id={`${field}-help`} className={`field-help ${question.refused ? "wrong" : ""}`} role="status">
          {question.refused ? "The server did not accept this token. Try another." : ""}
        </p>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={() => answer(null)}>
            Not now
          </button>
          <button type="submit" className="button primary" disabled={!token.trim()}>
            Go on
          </button>
        </div>
      </form>
    </Dialog>
  )
}
