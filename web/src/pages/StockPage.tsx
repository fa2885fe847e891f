/** One stock as a channel called it: its price chart with the calls on it, and the calls one by one. */

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { isMissing } from "../api/problems"
import { channelQuery, historyQuery, stockMentionsQuery, stocksQuery } from "../api/queries"
import { DemoBanner } from "../channel/DemoBanner"
import { useTitle } from "../parts/arrival"
import { PageSkeleton } from "../parts/Skeletons"
import { Empty, Failed } from "../parts/States"
import { historyPeriod, markCalls } from "../record/chart-data"
import { ChartFrame } from "../stock/ChartFrame"
import { MentionList } from "../stock/MentionList"
import { PriceChart } from "../stock/PriceChart"
import { StockHeader } from "../stock/StockHeader"
import { today } from "../text/dates"
import { isDemo, withoutDemo } from "../text/demo"

export default function StockPage({ id, ticker: given }: { id: string; ticker: string }) {
  const ticker = decodeURIComponent(given).toUpperCase()
  const channel = useQuery(channelQuery(id))
  const stocks = useQuery(stocksQuery(id))
  const mentions = useQuery(stockMentionsQuery(id, ticker))
  const stock = stocks.data?.find((each) => each.ticker === ticker)
  const firstDay = mentions.data?.at(-1)?.video?.published_at
  const period = historyPeriod(firstDay ?? today(), today())
  const history = useQuery({
    ...historyQuery(ticker, period.start, period.end),
    enabled: firstDay !== undefined,
  })
  const [pointedAt, pointAt] = useState<string | null>(null)
  useTitle(channel.data ? `${ticker} · ${channel.data.name}` : ticker)

  if (isMissing(channel.error) || isMissing(mentions.error)) {
    return (
      <div className="wide page">
        <Empty title="There is no such channel">
          <Link className="button" href="/">
            All channels
          </Link>
        </Empty>
      </div>
    )
  }
  // Until then it is not known how much room the header takes.
  if (channel.isPending || stocks.isPending || mentions.isPending) return <PageSkeleton />
  const closes = history.data ?? []
  return (
    <div className="wide page">
      <nav className="crumbs" aria-label="Where you are">
        <Link href="/">Channels</Link>
        <Link href={`/channels/${id}`}>
          <bdi>{channel.data ? withoutDemo(channel.data.name) : "Channel"}</bdi>
        </Link>
      </nav>
      <StockHeader ticker={ticker} stock={stock} lastClose={closes.at(-1)} isPending={history.isLoading} />
      {channel.data && isDemo(channel.data) && <DemoBanner />}
      {mentions.error && !mentions.data && (
        <Failed what="The calls could not be loaded" problem={mentions.error} retry={mentions.refetch} />
      )}
      {mentions.data?.length === 0 && (
        <Empty title={`This channel has not spoken of ${ticker}`}>
          <Link className="button" href={`/channels/${id}`}>
            Its stocks
          </Link>
        </Empty>
      )}
      {history.isLoading && (
        <ChartFrame>
          <div className="chart skeleton" aria-busy="true" />
        </ChartFrame>
      )}
      {history.error && !history.data && (
        <Failed what="The prices could not be loaded" problem={history.error} retry={history.refetch} />
      )}
      {history.data?.length === 0 && (
        <Empty title="No prices for a chart">
          <p className="soft">There are no closes of {ticker} to show. What the channel said is below.</p>
        </Empty>
      )}
      {closes.length > 0 && mentions.data && (
        <PriceChart
          ticker={ticker}
          closes={closes}
          calls={markCalls(mentions.data, closes)}
          pointedAt={pointedAt}
        />
      )}
      {mentions.data && mentions.data.length > 0 && (
        <MentionList mentions={mentions.data} currentPrice={stock?.current_price ?? null} onPoint={pointAt} />
      )}
    </div>
  )
}
