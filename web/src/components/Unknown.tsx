/** A dash for a missing figure, with the reason for screen readers. */
export function Unknown({ label }: { label: string }) {
  return (
    <>
      <span aria-hidden="true" title={label}>
        –
      </span>
      <span className="visually-hidden">{label}</span>
    </>
  )
}
