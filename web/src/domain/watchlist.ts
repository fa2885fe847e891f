/** The stocks and channels that a reader watches. */

import type { Watchlist } from "../api/types"

export type Watched = { ticker: string } | { channelId: string }

export function isWatched(list: Watchlist | undefined, what: Watched): boolean {
  if (!list) return false
  return "ticker" in what ? list.tickers.includes(what.ticker) : list.channel_ids.includes(what.channelId)
}

/** The list with one more or one less. */
export function toggled(list: Watchlist, what: Watched, on: boolean): Watchlist {
  return "ticker" in what
    ? { ...list, tickers: changed(list.tickers, what.ticker, on) }
    : { ...list, channel_ids: changed(list.channel_ids, what.channelId, on) }
}

function changed(list: readonly string[], one: string, on: boolean): string[] {
  const others = list.filter((each) => each !== one)
  return on ? [...others, one] : others
}
