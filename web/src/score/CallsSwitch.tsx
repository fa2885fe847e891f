import type { CallsScored } from "../api/types"

const LABELS: Record<CallsScored, string> = { all: "All calls", checked: "Checked by a person" }

interface Props {
  calls: CallsScored
  onCalls: (calls: CallsScored) => void
}

/** Which calls the score is made over. */
export function CallsSwitch({ calls, onCalls }: Props) {
  return (
    <fieldset className="segments small">
      <legend className="visually-hidden">Calls that the score is made over</legend>
      {(Object.keys(LABELS) as CallsScored[]).map((each) => (
        <label key={each}>
          <input type="radio" name="calls" checked={calls === each} onChange={() => onCalls(each)} />
          <span>{LABELS[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
