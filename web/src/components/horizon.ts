import type { Horizon } from "../api/types"
import { horizonIn, horizonParameter, horizonSearch } from "../domain/horizons"
import { useDefaults } from "./defaults"
import { useUrlState } from "./url-state"

interface PageHorizon {
  horizon: Horizon
  choose: (horizon: Horizon) => void
  /** The search part of links that keep it. */
  search: string
  /** True if the address relies on the reader's own default. */
  isUnnamed: boolean
}

/** The horizon of a page: what its address names, or else the reader's own default. */
export function useHorizon(): PageHorizon {
  const [search, change] = useUrlState()
  const { horizon: own } = useDefaults()
  const horizon = horizonIn(search, own)
  return {
    horizon,
    choose: (chosen) => change({ horizon: horizonParameter(chosen, own) }),
    search: horizonSearch(horizon, own),
    isUnnamed: !search.has("horizon") && horizonParameter(horizon, own) !== null,
  }
}
