/** One channel: its score, its calls, its stocks, its videos, what is to be reviewed, what was changed, its runs and its log. */

import { useQuery, useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useEffect, useRef } from "react"
import { Link } from "wouter"
import { isNotFound } from "../api/errors"
import { useLoadError } from "../api/load-error"
import { channelQuery, isRunning, keys, logsQuery, stocksQuery } from "../api/queries"
import type { Channel, ChannelStock } from "../api/types"
import { CallsTab } from "../calls/CallsTab"
import { ChannelHeader } from "../channel/ChannelHeader"
import { DemoBanner } from "../channel/DemoBanner"
import { LogTab } from "../channel/LogTab"
import { PartialBanner } from "../channel/PartialBanner"
import { RunPanel } from "../channel/RunPanel"
import { StocksTab } from "../channel/StocksTab"
import { Tabs } from "../channel/Tabs"
import { TimelineTab } from "../channel/TimelineTab"
import { Breadcrumb } from "../components/Breadcrumb"
import { ErrorBoundary } from "../components/ErrorBoundary"
import { useTitle } from "../components/navigation"
import { HeaderSkeleton, RecordSkeleton, RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState, StaleBanner } from "../components/States"
import { wasNeverRead } from "../domain/channels"
import { ScoreTab } from "../score/ScoreTab"
import { isDemo } from "../text/demo"
import { NotFoundPage } from "./NotFoundPage"

const SCORE_MILLISECONDS = 6_000
const TABS = ["score", "calls", "stocks", "timeline", "review", "videos", "changes", "activity", "log"]
/** The tabs whose content comes from the videos. */
const READ_IN_VIDEOS = ["score", "calls", "stocks", "timeline", "review"]

// Few readers open these, so they are loaded by those who do.
const ActivityTab = lazy(() => import("../activity/ActivityTab"))
const ReviewTab = lazy(() => import("../review/ReviewTab"))
const VideosTab = lazy(() => import("../videos/VideosTab"))
const ChangesTab = lazy(() => import("../channel/ChangesTab"))

export default function ChannelPage({ id, tab }: { id: string; tab: string }) {
  const client = useQueryClient()
  const channel = useQuery(channelQuery(id))
  const running = isRunning(channel.data)
  // Also when it was just there: it may have been deleted elsewhere.
  const missing = isNotFound(channel.error)
  const stocks = useQuery({ ...stocksQuery(id, running), enabled: channel.isSuccess })
  const wantsLog = running || tab === "log" || channel.data?.status === "failed"
  const logs = useQuery({ ...logsQuery(id, running, client), enabled: channel.isSuccess && wantsLog })
  const [channelError, stocksError] = [useLoadError(channel), useLoadError(stocks)]
  const isUnread = READ_IN_VIDEOS.includes(tab) && channel.data !== undefined && wasNeverRead(channel.data)
  useTitle(channel.data?.name ?? "Channel")
  useRefetchAfterRun(id, running)

  if (!TABS.includes(tab)) return <NotFoundPage />
  return (
    <div className="wide page">
      <Breadcrumb to={[{ href: "/", label: "Leaderboard" }]} />
      {missing && (
        <EmptyState title="Channel not found">
          <p className="soft">It may have been deleted.</p>
          <Link className="button" href="/">
            Leaderboard
          </Link>
        </EmptyState>
      )}
      {channelError && !missing && (
        <ErrorState title="Couldn’t load the channel" error={channelError} retry={channel.refetch} />
      )}
      {!channel.data && !channelError && (
        <>
          <HeaderSkeleton />
          <RecordSkeleton />
          <RowsSkeleton />
        </>
      )}
      {channel.data && !missing && (
        <>
          <ChannelHeader channel={channel.data} />
          <StaleBanner error={channel.error} />
          {isDemo(channel.data) && (
            <DemoBanner pricesAsOf={stocks.data?.summary.prices_as_of?.slice(0, 10) ?? null} />
          )}
          <RunPanel channel={channel.data} logs={logs.data ?? []} />
          {stocksError && (
            <ErrorState title="Couldn’t load the stocks" error={stocksError} retry={stocks.refetch} />
          )}
          {!stocks.data && !stocksError && (
            <>
              <RecordSkeleton />
              <RowsSkeleton />
            </>
          )}
          {stocks.data && (
            <>
              <PartialBanner channel={channel.data} coverage={stocks.data.coverage} />
              <Tabs
                id={id}
                current={tab}
                calls={callsIn(stocks.data.stocks)}
                stocks={stocks.data.stocks.length}
                videos={stocks.data.coverage.with_mentions}
              />
              {isUnread && <NeverRead status={channel.data.status} />}
              {tab === "score" && !isUnread && (
                <ScoreTab channel={channel.data} coverage={stocks.data.coverage} />
              )}
              {tab === "calls" && !isUnread && <CallsTab channelId={id} stocks={stocks.data.stocks} />}
              {tab === "stocks" && !isUnread && (
                <StocksTab channelId={id} running={running} data={stocks.data} />
              )}
              {tab === "timeline" && !isUnread && (
                <TimelineTab channelId={id} running={running} stocks={stocks.data.stocks} />
              )}
              <ErrorBoundary at={tab}>
                <Suspense fallback={<RowsSkeleton />}>
                  {tab === "review" && !isUnread && <ReviewTab channelId={id} running={running} />}
                  {tab === "videos" && <VideosTab channelId={id} running={running} />}
                  {tab === "activity" && <ActivityTab channelId={id} running={running} />}
                  {tab === "changes" && <ChangesTab channelId={id} />}
                </Suspense>
              </ErrorBoundary>
              {tab === "log" && <LogTab running={running} logs={logs} />}
            </>
          )}
        </>
      )}
    </div>
  )
}

function NeverRead({ status }: Pick<Channel, "status">) {
  return (
    <EmptyState title="Nothing has been read yet">
      <p className="soft">
        The last run {status === "cancelled" ? "was cancelled" : "failed"} before it read a video.
      </p>
    </EmptyState>
  )
}

/** The last videos of a run are committed after the last poll, and the score follows shortly after. */
function useRefetchAfterRun(id: string, running: boolean): void {
  const client = useQueryClient()
  const wasRunning = useRef(running)
  useEffect(() => {
    const hasEnded = wasRunning.current && !running
    wasRunning.current = running
    if (!hasEnded) return
    const refetch = () => client.invalidateQueries({ queryKey: keys.channel(id) })
    refetch()
    const timer = setTimeout(refetch, SCORE_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [client, id, running])
}

function callsIn(stocks: readonly ChannelStock[]): number {
  return stocks.reduce((sum, { buy_count, sell_count }) => sum + buy_count + sell_count, 0)
}
