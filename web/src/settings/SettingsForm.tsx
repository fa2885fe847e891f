/** Settings that are saved as soon as they are chosen. */

import { useState } from "react"
import { describeError } from "../api/errors"
import { useSaveSetting } from "../api/people-mutations"
import type { Settings } from "../api/types"
import { COSTS, formatCosts, withPresent } from "../domain/backtest"
import { HORIZON_LABELS, HORIZONS } from "../domain/horizons"
import { type Choices, isOwn, type SettingName, THRESHOLDS } from "../domain/settings"
import { formatShare } from "../text/numbers"
import { SettingRow } from "./SettingRow"
import "./settings.css"

export function SettingsForm({ settings }: { settings: Settings }) {
  const save = useSaveSetting()
  const [said, setSaid] = useState("")
  // What was chosen shows at once, until the last of the changes is saved or refused.
  const [chosen, setChosen] = useState<Partial<Choices>>({})
  const change = (choice: Partial<Choices>) => {
    setSaid("")
    setChosen((others) => ({ ...others, ...choice }))
    save.mutate(choice, { onSuccess: () => setSaid("Saved"), onSettled: () => setChosen({}) })
  }
  const shown = <Name extends SettingName>(name: Name) => chosen[name] ?? settings[name]
  const row = (name: SettingName) => ({
    isOwn: isOwn(settings, name),
    isSaving: save.isPending,
    onReset: () => change({ [name]: null }),
  })
  const costs = Number(shown("cost_bps"))
  const threshold = Number(shown("review_below"))
  return (
    <section className="card panel settings" aria-label="What pages open with">
      <div className="panel-head">
        <h2 className="section-title">What pages open with</h2>
        <p role="status" className={`settings-said ${save.error ? "wrong" : "soft"}`}>
          {save.error ? describeError(save.error) : save.isPending ? "Saving…" : said}
        </p>
      </div>
      <SettingRow
        title="Horizon"
        note="How long after a call it is judged, on the leaderboard, scores and calls. A link that names another one wins."
        {...row("horizon")}
      >
        {(title) => (
          <div className="segments setting-horizons" role="radiogroup" aria-labelledby={title}>
            {HORIZONS.map((each) => (
              <label key={each}>
                <input
                  type="radio"
                  name="default-horizon"
                  checked={shown("horizon") === each}
                  onChange={() => change({ horizon: each })}
                />
                <span>{HORIZON_LABELS[each]}</span>
              </label>
            ))}
          </div>
        )}
      </SettingRow>
      <SettingRow
        title="Costs per trade"
        note="What buying and selling takes off the curve of following a channel."
        {...row("cost_bps")}
      >
        {(title, note) => (
          <select
            className="field"
            aria-labelledby={title}
            aria-describedby={note}
            value={costs}
            onChange={(event) => change({ cost_bps: Number(event.target.value) })}
          >
            {withPresent(COSTS, costs).map((each) => (
              <option key={each} value={each}>
                {formatCosts(each)}
              </option>
            ))}
          </select>
        )}
      </SettingRow>
      <SettingRow
        title="Review threshold"
        note="Calls that were read with less confidence than this are listed for you to review."
        {...row("review_below")}
      >
        {(title, note) => (
          <select
            className="field"
            aria-labelledby={title}
            aria-describedby={note}
            value={threshold}
            onChange={(event) => change({ review_below: Number(event.target.value) })}
          >
            {withPresent(THRESHOLDS, threshold).map((each) => (
              <option key={each} value={each}>
                {formatShare(each)}
              </option>
            ))}
          </select>
        )}
      </SettingRow>
    </section>
  )
}
