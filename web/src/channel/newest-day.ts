/** The day of the newest price. */

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { historyQuery } from "../api/queries"
import type { ChannelStock } from "../api/types"
import { historyPeriod } from "../record/chart-data"
import { today } from "../text/dates"

/**
 * The demo's prices end on a day of their own: that of the newest close of its first stock that has a price. Live
 * prices are as new as their source, which has no day to ask for.
 */
export function useNewestDay(
  demo: boolean,
  stocks: readonly ChannelStock[] | undefined,
): { asOf: string | null; isPending: boolean } {
  const stock = stocks?.find((each) => each.current_price !== null)
  const { start, end } = historyPeriod(stock?.first_mention_date ?? today(), today())
  const history = useQuery({
    ...historyQuery(stock?.ticker ?? "", start, end),
    enabled: demo && stock !== undefined,
    // While a run goes on another stock may come first; the day stays the same.
    placeholderData: keepPreviousData,
  })
  return { asOf: history.data?.at(-1)?.date ?? null, isPending: history.isLoading }
}
