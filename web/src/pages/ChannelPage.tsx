/** One channel: its track record at a glance, its stocks, its videos and its log. */

import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { Link } from "wouter"
import { isMissing } from "../api/problems"
import { channelQuery, isRunning, keys, logsQuery, stocksQuery, timelineQuery } from "../api/queries"
import { ChannelHeader } from "../channel/ChannelHeader"
import { DemoBanner } from "../channel/DemoBanner"
import { LogTab } from "../channel/LogTab"
import { useNewestDay } from "../channel/newest-day"
import { RunPanel } from "../channel/RunPanel"
import { StocksTab } from "../channel/StocksTab"
import { Tabs } from "../channel/Tabs"
import { TimelineTab } from "../channel/TimelineTab"
import { TrackRecord } from "../channel/TrackRecord"
import { useTitle } from "../parts/arrival"
import { HeaderSkeleton, RecordSkeleton, RowsSkeleton } from "../parts/Skeletons"
import { Empty, Failed } from "../parts/States"
import { isDemo } from "../text/demo"
import { NotFoundPage } from "./NotFoundPage"

const TABS = ["stocks", "timeline", "log"]

export function ChannelPage({ id, tab }: { id: string; tab: string }) {
  const client = useQueryClient()
  const channel = useQuery(channelQuery(id))
  const running = isRunning(channel.data)
  // Also when it was there a moment ago: it may have been deleted elsewhere.
  const missing = isMissing(channel.error)
  const found = channel.isSuccess
  const stocks = useQuery({ ...stocksQuery(id, running), enabled: found })
  const timeline = useQuery({ ...timelineQuery(id, running), enabled: found })
  const demo = channel.data !== undefined && isDemo(channel.data)
  const { asOf, isPending: isDayPending } = useNewestDay(demo, stocks.data)
  // Shown all at once: what comes later would push down what is there.
  const isPending = stocks.isPending || timeline.isPending || isDayPending
  const wantsLog = running || tab === "log" || channel.data?.status === "failed"
  const logs = useQuery({ ...logsQuery(id, running, client), enabled: found && wantsLog })
  useTitle(channel.data?.name ?? "Channel")
  useReadAgainAfterRun(id, running)

  if (!TABS.includes(tab)) return <NotFoundPage />
  return (
    <div className="wide page">
      <nav className="crumbs" aria-label="Where you are">
        <Link href="/">Channels</Link>
      </nav>
      {channel.isPending && (
        <>
          <HeaderSkeleton />
          <RecordSkeleton />
          <RowsSkeleton />
        </>
      )}
      {missing && (
        <Empty title="There is no such channel">
          <p className="soft">It may have been deleted.</p>
          <Link className="button" href="/">
            All channels
          </Link>
        </Empty>
      )}
      {channel.error && !channel.data && !missing && (
        <Failed what="The channel could not be loaded" problem={channel.error} retry={channel.refetch} />
      )}
      {channel.data && !missing && (
        <>
          <ChannelHeader channel={channel.data} />
          {demo && <DemoBanner />}
          <RunPanel channel={channel.data} logs={logs.data ?? []} />
          {isPending ? (
            <>
              <RecordSkeleton />
              <RowsSkeleton />
            </>
          ) : (
            <>
              <TrackRecord channel={channel.data} stocks={stocks} timeline={timeline} asOf={asOf} />
              <Tabs id={id} current={tab} stocks={stocks.data?.length} videos={timeline.data?.length} />
              {tab === "stocks" && (
                <StocksTab channelId={id} running={running} stocks={stocks} timeline={timeline.data} />
              )}
              {tab === "timeline" && <TimelineTab channelId={id} running={running} timeline={timeline} />}
              {tab === "log" && <LogTab running={running} logs={logs} />}
            </>
          )}
        </>
      )}
    </div>
  )
}

/** The last videos of a run come in after the last poll of its tables. */
function useReadAgainAfterRun(id: string, running: boolean): void {
  const client = useQueryClient()
  const wasRunning = useRef(running)
  useEffect(() => {
    if (wasRunning.current && !running) client.invalidateQueries({ queryKey: keys.channel(id) })
    wasRunning.current = running
  }, [client, id, running])
}
