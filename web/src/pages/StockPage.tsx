/** One stock of a channel: its price chart with the mentions and the way of each call, and the mentions one by one. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { isNotFound } from "../api/errors"
import { useLoadError } from "../api/load-error"
import { channelQuery, historyQuery, stockMentionsQuery, stocksQuery } from "../api/queries"
import { callsQuery } from "../api/score-queries"
import { DemoBanner } from "../channel/DemoBanner"
import { Breadcrumb } from "../components/Breadcrumb"
import { HorizonSwitch } from "../components/HorizonSwitch"
import { useHorizon } from "../components/horizon"
import { useTitle } from "../components/navigation"
import { PageSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { StockNotes } from "../notes/StockNotes"
import { ChartSkeleton } from "../stock/ChartFrame"
import { historyPeriod, markMentions, tradesOf } from "../stock/chart-data"
import { MentionList } from "../stock/MentionList"
import { PriceChart } from "../stock/PriceChart"
import { StockHeader } from "../stock/StockHeader"
import { today } from "../text/dates"
import { isDemo, withoutDemoSuffix } from "../text/demo"

export default function StockPage({ id, ticker: given }: { id: string; ticker: string }) {
  const ticker = decodeURIComponent(given).toUpperCase()
  const channel = useQuery(channelQuery(id))
  const stocks = useQuery(stocksQuery(id))
  const mentions = useQuery(stockMentionsQuery(id, ticker))
  const stock = stocks.data?.stocks.find((each) => each.ticker === ticker)
  const firstDay = mentions.data?.at(-1)?.video?.published_at
  const period = historyPeriod(firstDay ?? today(), today())
  const history = useQuery({
    ...historyQuery(ticker, period.start, period.end),
    enabled: firstDay !== undefined,
  })
  const { horizon, search } = useHorizon()
  const results = useInfiniteQuery(callsQuery(id, { horizon, kind: null, status: null, ticker }))
  const calls = results.data?.pages.flatMap((page) => page.items) ?? []
  const [highlighted, highlight] = useState<string | null>(null)
  const pricesAsOf = stocks.data?.summary.prices_as_of?.slice(0, 10) ?? null
  const channelError = useLoadError(channel)
  const stocksError = useLoadError(stocks)
  const mentionsError = useLoadError(mentions)
  const historyError = useLoadError(history)
  useTitle(channel.data ? `${ticker} · ${channel.data.name}` : ticker)

  if (isNotFound(channel.error) || isNotFound(mentions.error)) {
    return (
      <div className="wide page">
        <EmptyState title="Channel not found">
          <Link className="button" href="/">
            Leaderboard
          </Link>
        </EmptyState>
      </div>
    )
  }
  const failed = [
    { query: channel, error: channelError },
    { query: stocks, error: stocksError },
    { query: mentions, error: mentionsError },
  ].find(({ error }) => error)
  if (failed) {
    return (
      <div className="wide page">
        <ErrorState title={`Couldn’t load ${ticker}`} error={failed.error} retry={failed.query.refetch} />
      </div>
    )
  }
  // The height of the header is not known before.
  if (!channel.data || !stocks.data || !mentions.data) return <PageSkeleton />
  const closes = history.data ?? []
  return (
    <div className="wide page">
      <Breadcrumb
        to={[
          { href: "/", label: "Leaderboard" },
          { href: `/channels/${id}${search}`, label: withoutDemoSuffix(channel.data.name) },
        ]}
      />
      <StockHeader
        ticker={ticker}
        stock={stock}
        lastClose={closes.at(-1)}
        isPending={!history.data && !historyError}
      />
      {isDemo(channel.data) && <DemoBanner pricesAsOf={pricesAsOf} />}
      {mentions.data.length === 0 && (
        <EmptyState title={`No mentions of ${ticker}`}>
          <Link className="button" href={`/channels/${id}/stocks`}>
            All stocks of this channel
          </Link>
        </EmptyState>
      )}
      {!history.data && !historyError && firstDay !== undefined && <ChartSkeleton />}
      {historyError && (
        <ErrorState title="Couldn’t load the prices" error={historyError} retry={history.refetch} />
      )}
      {history.data?.length === 0 && (
        <EmptyState title="No price history">
          <p className="soft">There are no prices for {ticker}. The mentions are listed below.</p>
        </EmptyState>
      )}
      {closes.length > 0 && (
        <PriceChart
          ticker={ticker}
          closes={closes}
          marks={markMentions(mentions.data, closes)}
          trades={tradesOf(calls, closes)}
          highlighted={highlighted}
          controls={<HorizonSwitch />}
        />
      )}
      <StockNotes channelId={id} ticker={ticker} />
      {mentions.data.length > 0 && (
        <MentionList
          channelId={id}
          mentions={mentions.data}
          calls={calls}
          horizon={horizon}
          currentPrice={stock?.current_price ?? null}
          onHighlight={highlight}
        />
      )}
    </div>
  )
}
