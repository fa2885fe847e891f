/** One stock across channels: who called it, when, and what came of it. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useLoadError } from "../api/load-error"
import { historyQuery } from "../api/queries"
import { stockCallsQuery } from "../api/score-queries"
import { CallsTable } from "../calls/CallsTable"
import { DemoBanner } from "../channel/DemoBanner"
import { Breadcrumb } from "../components/Breadcrumb"
import { ExternalLink } from "../components/ExternalLink"
import { HorizonSwitch } from "../components/HorizonSwitch"
import { useHorizon } from "../components/horizon"
import { LoadMore } from "../components/LoadMore"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { PageSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { WatchButton } from "../components/WatchButton"
import { TickerNotes } from "../notes/TickerNotes"
import { CallersTable } from "../stock/CallersTable"
import { ChartSkeleton } from "../stock/ChartFrame"
import { callersOf, describeLoaded } from "../stock/callers"
import { historyPeriod, markCalls, tradesOf } from "../stock/chart-data"
import { PriceChart } from "../stock/PriceChart"
import { today } from "../text/dates"
import { isDemo } from "../text/demo"
import { counted } from "../text/numbers"
import "../stock/StockHeader.css"
import "../channel/ChannelHeader.css"
import "./LeaderboardPage.css"
import "../components/States.css"

export default function TickerPage({ ticker: given }: { ticker: string }) {
  const ticker = decodeURIComponent(given).toUpperCase()
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const { horizon } = useHorizon()
  const calls = useInfiniteQuery(stockCallsQuery(ticker, horizon))
  const newest = calls.data?.pages[0]
  const items = calls.data?.pages.flatMap((page) => page.items) ?? []
  const firstDay = items.at(-1)?.published_at
  const period = historyPeriod(firstDay ?? today(), today())
  const history = useQuery({
    ...historyQuery(ticker, period.start, period.end),
    enabled: firstDay !== undefined,
  })
  const [loadError, historyError] = [useLoadError(calls), useLoadError(history)]
  useTitle(ticker)

  if (!newest && !loadError) return <PageSkeleton />
  const callers = callersOf(items)
  const loaded = describeLoaded(items.length, calls.hasNextPage)
  const closes = history.data ?? []
  return (
    <div className="wide page">
      <Breadcrumb to={[{ href: "/", label: "Leaderboard" }]} />
      <header className="stock-header">
        <div className="grow">
          <div className="title-row">
            <h1 ref={heading} tabIndex={-1}>
              {ticker}
              <span className="visually-hidden">: </span>
              <span className="stock-full-name" dir="auto">
                {items[0]?.name}
              </span>
            </h1>
            <WatchButton what={{ ticker }} name={ticker} />
          </div>
          {callers.length > 0 && (
            <p className="soft">
              {loaded} by {counted(callers.length, "channel", "channels")}
            </p>
          )}
        </div>
        <ExternalLink
          address={`https://finance.yahoo.com/quote/${encodeURIComponent(ticker.replace(".", "-"))}`}
          className="soft touch"
        >
          Yahoo Finance
        </ExternalLink>
      </header>
      {loadError && <ErrorState title={`Couldn’t load ${ticker}`} error={loadError} retry={calls.refetch} />}
      {newest && items.length === 0 && (
        <EmptyState title={`No channel has called ${ticker}`}>
          <p className="soft">No video read so far says to buy or to sell it.</p>
        </EmptyState>
      )}
      {newest && items.length > 0 && (
        <>
          <div className="board-head">
            <HorizonSwitch />
          </div>
          {items.some(({ channel }) => isDemo(channel)) && <DemoBanner pricesAsOf={null} />}
          {newest.reason && <p className="banner partial">{newest.reason}</p>}
          <CallersTable ticker={ticker} callers={callers} loaded={loaded} horizon={horizon} />
          {historyError && (
            <ErrorState title="Couldn’t load the prices" error={historyError} retry={history.refetch} />
          )}
          {!history.data && !historyError && <ChartSkeleton />}
          {closes.length > 0 && (
            <PriceChart
              ticker={ticker}
              closes={closes}
              marks={markCalls(items, closes)}
              trades={tradesOf(items, closes)}
              highlighted={null}
            />
          )}
          <h2 className="section-title">Every call</h2>
          <CallsTable
            horizon={horizon}
            calls={items.map((call) => ({
              call,
              channelId: call.channel.id,
              channel: call.channel,
              href: `/channels/${call.channel.id}/stocks/${encodeURIComponent(ticker)}`,
            }))}
          />
          <LoadMore query={calls} label="Load older calls" />
        </>
      )}
      {newest && <TickerNotes ticker={ticker} />}
    </div>
  )
}
