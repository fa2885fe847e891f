import type { Horizon } from "../api/types"
import { HORIZON_LABELS, HORIZONS } from "../record/horizons"

interface Props {
  horizon: Horizon
  onHorizon: (horizon: Horizon) => void
}

export function HorizonSwitch({ horizon, onHorizon }: Props) {
  return (
    <fieldset className="segments small horizons">
      <legend className="visually-hidden">How long after a call</legend>
      {HORIZONS.map((each) => (
        <label key={each}>
          <input type="radio" name="horizon" checked={each === horizon} onChange={() => onHorizon(each)} />
          <span>{HORIZON_LABELS[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
