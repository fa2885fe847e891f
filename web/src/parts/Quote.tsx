/** What was said, word for word. It is shown as text, whatever it holds. */
export function Quote({ text }: { text: string | null }) {
  if (!text) return null
  return (
    <q className="quote" dir="auto">
      {text}
    </q>
  )
}
