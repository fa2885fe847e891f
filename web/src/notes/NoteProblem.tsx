import { Icon } from "../components/Icon"
import "./notes.css"

/** Why a note could not be saved; nothing without a sentence. */
export function NoteProblem({ sentence }: { sentence: string }) {
  if (!sentence) return null
  return (
    <p className="note-problem wrong" role="alert">
      <Icon name="warning" />
      {sentence}
    </p>
  )
}
