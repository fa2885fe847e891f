/** Stands where there is no figure, and says why to those who cannot see the dash. */
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
