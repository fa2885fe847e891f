import { ANSWER_KEYS, ANSWER_LABELS, ANSWERS } from "./reviews"
import "./KeysHelp.css"

const OTHERS: [string, string][] = [
  ["j", "Next"],
  ["k", "Previous"],
  ["u", "Undo"],
  ["n", "Write a note (Escape leaves it)"],
  ["?", "Show or hide these keys"],
]

interface Props {
  isOn: boolean
  onChange: (isOn: boolean) => void
}

/** The keys of the queue, and a switch for those who would press them by accident. */
export function KeysHelp({ isOn, onChange }: Props) {
  const keys = [...ANSWERS.map((answer) => [ANSWER_KEYS[answer], ANSWER_LABELS[answer]]), ...OTHERS]
  return (
    <section className="card flat keys" aria-label="Keys">
      <dl>
        {keys.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
        Use these keys
      </label>
    </section>
  )
}
