/** Every buy and sell call of a channel with what became of it. The filters are part of the URL. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { useLoadError } from "../api/load-error"
import { callsQuery } from "../api/score-queries"
import type { ChannelStock } from "../api/types"
import { CsvLink } from "../components/CsvLink"
import { useHorizon } from "../components/horizon"
import { LoadMore } from "../components/LoadMore"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { STATUSES } from "../domain/calls"
import { counted } from "../text/numbers"
import { CallFilters } from "./CallFilters"
import { CallsTable } from "./CallsTable"

interface Props {
  channelId: string
  stocks: readonly ChannelStock[]
}

const NO_FILTER = { kind: null, status: null, ticker: null }
const SIDES = ["buy", "sell"] as const

export function CallsTab({ channelId, stocks }: Props) {
  const [search, change] = useUrlState()
  const { horizon } = useHorizon()
  const filter = {
    horizon,
    kind: SIDES.find((each) => each === search.get("kind")) ?? null,
    status: STATUSES.find((each) => each === search.get("status")) ?? null,
    ticker: stocks.find(({ ticker }) => ticker === search.get("ticker"))?.ticker ?? null,
  }
  const calls = useInfiniteQuery(callsQuery(channelId, filter))
  const loadError = useLoadError(calls)
  const items = calls.data?.pages.flatMap((page) => page.items)
  const isFiltered = Boolean(filter.kind || filter.status || filter.ticker)

  return (
    <section aria-label="Calls">
      <CallFilters
        stocks={stocks}
        filter={filter}
        csv={<CsvLink path={`/api/channels/${channelId}/calls`} filter={filter} label="These calls as CSV" />}
        onChange={change}
      />
      {loadError && <ErrorState title="Couldn’t load the calls" error={loadError} retry={calls.refetch} />}
      {!items && !loadError && <RowsSkeleton />}
      <p className="visually-hidden" role="status">
        {items && `${counted(items.length, "call", "calls")} shown`}
      </p>
      {items?.length === 0 &&
        !calls.hasNextPage &&
        (isFiltered ? (
          <EmptyState title="No matching calls">
            <button type="button" className="button" onClick={() => change(NO_FILTER)}>
              Clear filters
            </button>
          </EmptyState>
        ) : (
          <EmptyState title="No calls">
            <p className="soft">None of the videos read says to buy or to sell a stock.</p>
          </EmptyState>
        ))}
      {items && items.length > 0 && (
        <CallsTable
          calls={items.map((call) => ({
            call,
            channelId,
            href: `/channels/${channelId}/stocks/${encodeURIComponent(call.ticker)}`,
          }))}
          horizon={filter.horizon}
        />
      )}
      <LoadMore query={calls} label="Load older calls" />
    </section>
  )
}
