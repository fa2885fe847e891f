/** Home: the channels ranked by what came of their calls, and below them those that are being processed. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { useLoadError } from "../api/load-error"
import { channelsQuery, isRunning } from "../api/queries"
import { leaderboardQuery, withoutScore } from "../api/score-queries"
import { AddChannelDialog } from "../channel/AddChannelDialog"
import { ChannelCard } from "../channel/ChannelCard"
import { NoChannels } from "../channel/NoChannels"
import { BenchmarkNote } from "../components/BenchmarkNote"
import { HorizonSwitch } from "../components/HorizonSwitch"
import { useHorizon } from "../components/horizon"
import { Icon } from "../components/Icon"
import { LoadMore } from "../components/LoadMore"
import { NeedsRole } from "../components/NeedsRole"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { RowsSkeleton } from "../components/Skeletons"
import { ErrorState, StaleBanner } from "../components/States"
import { useUrlState } from "../components/url-state"
import { wasNeverRead } from "../domain/channels"
import { CompareBar } from "../leaderboard/CompareBar"
import { channelsIn, MAX_COMPARED } from "../leaderboard/compare"
import { LeaderboardTable } from "../leaderboard/LeaderboardTable"
import { isDemo } from "../text/demo"
import { counted } from "../text/numbers"
import "./LeaderboardPage.css"
import "../components/States.css"
import "../channel/ChannelCard.css"

export function LeaderboardPage() {
  useTitle("Leaderboard")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const [search, change] = useUrlState()
  const { horizon } = useHorizon()
  const chosen = channelsIn(search)
  const channels = useQuery(channelsQuery(1))
  const leaderboard = useInfiniteQuery(leaderboardQuery(horizon, channels.data?.items ?? []))
  const [boardError, channelsError] = [useLoadError(leaderboard), useLoadError(channels)]
  const [adding, setAdding] = useState(false)
  const scored = leaderboard.data?.pages.flatMap((page) => page.items) ?? []
  const entries = scored.filter(({ channel }) => !wasNeverRead(channel))
  const newest = leaderboard.data?.pages[0]
  const waiting = [
    ...withoutScore(channels.data?.items ?? [], leaderboard.data?.pages ?? []),
    ...scored.map(({ channel }) => channel).filter(wasNeverRead),
  ]
  const failed = boardError ?? channelsError
  const isLoading = !failed && !(leaderboard.data && channels.data)

  return (
    <div className="wide page" aria-busy={isLoading}>
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Leaderboard
          </h1>
          <p className="soft">Whose calls beat the S&amp;P 500, and whose could be luck.</p>
        </div>
        <NeedsRole needed="editor">
          <button type="button" className="button primary" onClick={() => setAdding(true)}>
            <Icon name="add" />
            Add a channel
          </button>
        </NeedsRole>
      </div>
      {failed && (
        <ErrorState
          title="Couldn’t load the leaderboard"
          error={failed}
          retry={() => Promise.all([leaderboard.refetch(), channels.refetch()])}
          busy={leaderboard.isFetching || channels.isFetching}
        />
      )}
      {isLoading && <RowsSkeleton count={4} />}
      {!failed && leaderboard.data && channels.data && (
        <>
          <StaleBanner error={leaderboard.error ?? channels.error} />
          {channels.data.total === 0 && <NoChannels />}
          {entries.length > 0 && (
            <>
              <div className="board-head">
                <HorizonSwitch />
                {newest && (
                  <BenchmarkNote
                    benchmark={newest.benchmark}
                    asOf={newest.as_of}
                    isDemo={entries.some(({ channel }) => isDemo(channel))}
                  />
                )}
              </div>
              {newest?.reason && <p className="banner partial">{newest.reason}</p>}
              <LeaderboardTable
                entries={entries}
                horizon={horizon}
                chosen={chosen}
                isFull={chosen.length >= MAX_COMPARED}
                onChoose={(id, isChosen) => {
                  const rest = chosen.filter((each) => each !== id)
                  change({ channels: (isChosen ? [...rest, id] : rest).join(",") })
                }}
              />
              <LoadMore query={leaderboard} label="Load more channels" />
              <CompareBar chosen={chosen} horizon={horizon} onClear={() => change({ channels: null })} />
            </>
          )}
          {waiting.length > 0 && (
            <section className="waiting" aria-label="Channels without a score yet">
              <h2 className="section-title">
                {waiting.some(isRunning) ? "Being processed" : "Without a score yet"}
              </h2>
              <ul className="cards">
                {waiting.map((channel) => (
                  <ChannelCard key={channel.id} channel={channel} />
                ))}
              </ul>
            </section>
          )}
          {channels.data.total > 0 && (
            <p className="board-foot">
              <Link className="touch" href="/channels">
                All {counted(channels.data.total, "channel", "channels")}
              </Link>
              <Link className="touch" href="/how-scores-are-made">
                How scores are made
              </Link>
            </p>
          )}
        </>
      )}
      {adding && <AddChannelDialog onClose={() => setAdding(false)} />}
    </div>
  )
}
