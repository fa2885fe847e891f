/** How long after a call it is judged, on this page. */

import { useEffect } from "react"
import { HORIZON_LABELS, HORIZONS } from "../domain/horizons"
import { useHorizon } from "./horizon"
import "./HorizonSwitch.css"

export function HorizonSwitch() {
  const { horizon, choose, isUnnamed } = useHorizon()
  // So that the address, sent to somebody else, shows them the same.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function changes on every render.
  useEffect(() => {
    if (isUnnamed) choose(horizon)
  }, [isUnnamed, horizon])
  return (
    <fieldset className="segments small horizons">
      <legend className="visually-hidden">How long after a call</legend>
      {HORIZONS.map((each) => (
        <label key={each}>
          <input type="radio" name="horizon" checked={each === horizon} onChange={() => choose(each)} />
          <span>{HORIZON_LABELS[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
