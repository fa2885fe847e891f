/** A verbatim quote, shown as plain text whatever it contains. */
export function Quote({ text }: { text: string | null }) {
  if (!text) return null
  return (
    <q className="quote" dir="auto">
      {text}
    </q>
  )
}
