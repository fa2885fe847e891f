import { KindShape } from "../components/Kind"
import { KINDS, type Kind, LABELS } from "../domain/kinds"

interface Props {
  legend: string
  kind: Kind | null
  onKind: (kind: Kind | null) => void
}

export function KindFilter({ legend, kind, onKind }: Props) {
  return (
    <fieldset className="segments small">
      <legend className="visually-hidden">{legend}</legend>
      {[null, ...KINDS].map((each) => (
        <label key={each ?? "all"}>
          <input type="radio" name="kind" checked={kind === each} onChange={() => onKind(each)} />
          <span>
            {each && <KindShape kind={each} />}
            {each ? LABELS[each] : "All"}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
