/** One stock of a channel: its price chart with the mentions marked, and the mentions one by one. */

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { isNotFound } from "../api/errors"
import { useLoadError } from "../api/load-error"
import { channelQuery, historyQuery, stockMentionsQuery, stocksQuery } from "../api/queries"
import { DemoBanner } from "../channel/DemoBanner"
import { useTitle } from "../components/navigation"
import { PageSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { historyPeriod, markMentions } from "../record/chart-data"
import { ChartFrame } from "../stock/ChartFrame"
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
            All channels
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
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link href="/">Channels</Link>
        <Link href={`/channels/${id}`}>
          <bdi>{withoutDemoSuffix(channel.data.name)}</bdi>
        </Link>
      </nav>
      <StockHeader
        ticker={ticker}
        stock={stock}
        lastClose={closes.at(-1)}
        isPending={!history.data && !historyError}
      />
      {isDemo(channel.data) && <DemoBanner pricesAsOf={pricesAsOf} />}
      {mentions.data.length === 0 && (
        <EmptyState title={`No mentions of ${ticker}`}>
          <Link className="button" href={`/channels/${id}`}>
            All stocks of this channel
          </Link>
        </EmptyState>
      )}
      {!history.data && !historyError && firstDay !== undefined && (
        <ChartFrame>
          <div className="chart skeleton" aria-busy="true" />
        </ChartFrame>
      )}
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
          highlighted={highlighted}
        />
      )}
      {mentions.data.length > 0 && (
        <MentionList
          mentions={mentions.data}
          currentPrice={stock?.current_price ?? null}
          onHighlight={highlight}
        />
      )}
    </div>
  )
}
