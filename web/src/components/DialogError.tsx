import { Icon } from "./Icon"

/** Why a dialog could not do what it was asked for; nothing without a sentence. */
export function DialogError({ sentence }: { sentence: string | null }) {
  if (!sentence) return null
  return (
    <p className="field-help invalid" role="alert">
      <Icon name="warning" />
      {sentence}
    </p>
  )
}
