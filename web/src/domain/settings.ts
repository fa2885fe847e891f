/** A person's settings: which are their own, what is sent to change one, and what of them a page opens with. */

import type { Horizon, Me, NewSettings, Settings } from "../api/types"
import { DEFAULT_COSTS, MAX_COSTS } from "./backtest"
import { DEFAULT_HORIZON, HORIZONS } from "./horizons"

export type SettingName = "horizon" | "cost_bps" | "review_below"
export type Choices = Pick<NewSettings, SettingName>

/** Readings with less confidence are queued for review. */
export const THRESHOLDS: readonly number[] = [0.5, 0.6, 0.7, 0.8, 0.9]

/** The defaults of a page whose address names nothing else. */
export interface Defaults {
  horizon: Horizon
  costs: number
}

export const BUILT_IN: Defaults = { horizon: DEFAULT_HORIZON, costs: DEFAULT_COSTS }

export function isOwn({ own }: Pick<Settings, "own">, name: SettingName): boolean {
  return own.includes(name)
}

/** The whole of what is sent to change one setting; null brings back the default. */
export function withChoice(present: Settings, change: Partial<Choices>): NewSettings {
  const kept = <Name extends keyof NewSettings & keyof Settings>(name: Name) =>
    (present.own as string[]).includes(name) ? present[name] : null
  return {
    horizon: kept("horizon"),
    cost_bps: kept("cost_bps"),
    review_below: kept("review_below"),
    benchmark: kept("benchmark"),
    version: present.version,
    ...change,
  }
}

/** Reads the defaults kept in the browser; invalid values fall back to the built-in ones. */
export function readDefaults(kept: string | null): Defaults {
  try {
    const { horizon, costs } = JSON.parse(kept ?? "{}") as Partial<Defaults>
    return {
      horizon: HORIZONS.find((each) => each === horizon) ?? BUILT_IN.horizon,
      costs: typeof costs === "number" && costs >= 0 && costs <= MAX_COSTS ? costs : BUILT_IN.costs,
    }
  } catch {
    return BUILT_IN
  }
}

/** Who is asking, and why they count as that. */
export function describeMe({ user_id, email, name }: Pick<Me, "user_id" | "email" | "name">): {
  name: string
  why: string
} {
  if (user_id === "local") {
    return { name: "local", why: "The server runs on this computer and does not ask who you are." }
  }
  if (user_id === "owner") return { name: "owner", why: "Everybody with the access token is the owner." }
  return { name: name ?? email ?? user_id, why: "As your access token says." }
}
