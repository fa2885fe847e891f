import { chooseTheme, followSystem, type Theme, useChosenTheme } from "../components/theme"
import { SettingRow } from "./SettingRow"
import "./settings.css"

const CHOICES: readonly (readonly [Theme | null, string])[] = [
  [null, "System"],
  ["light", "Light"],
  ["dark", "Dark"],
]

export function ThemeSetting() {
  const theme = useChosenTheme()
  return (
    <section className="card panel settings" aria-label="This browser">
      <h2 className="section-title">This browser</h2>
      <SettingRow title="Theme" note="Kept in this browser, and not among your settings on the server.">
        {(title) => (
          <div className="segments" role="radiogroup" aria-labelledby={title}>
            {CHOICES.map(([each, label]) => (
              <label key={label}>
                <input
                  type="radio"
                  name="theme"
                  checked={theme === each}
                  onChange={() => (each ? chooseTheme(each) : followSystem())}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
        )}
      </SettingRow>
    </section>
  )
}
