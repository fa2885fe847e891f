/** A channel's score: the verdict first, then what it stands on. What is chosen is part of the URL. */

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { useLoadError } from "../api/load-error"
import { isRunning } from "../api/queries"
import { scoreQuery, standingQuery } from "../api/score-queries"
import type { CallsScored, Channel, Coverage } from "../api/types"
import { HorizonSwitch } from "../components/HorizonSwitch"
import { useHorizon } from "../components/horizon"
import { RecordSkeleton, RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { BestAndWorst } from "./BestAndWorst"
import { ByKind } from "./ByKind"
import { CallsSwitch } from "./CallsSwitch"
import { Distribution } from "./Distribution"
import { Fingerprint } from "./Fingerprint"
import { FollowingIt } from "./FollowingIt"
import { HorizonsTable } from "./HorizonsTable"
import { Robustness } from "./Robustness"
import { VerdictCard } from "./VerdictCard"
import "./ScoreTab.css"

export function ScoreTab({ channel, coverage }: { channel: Channel; coverage: Coverage }) {
  const [search, change] = useUrlState()
  const { horizon, choose } = useHorizon()
  const calls: CallsScored = search.get("calls") === "checked" ? "checked" : "all"
  // What is shown stays until the other calls are read, and so does the focus on their switch.
  const score = useQuery({ ...scoreQuery(channel.id, calls), placeholderData: keepPreviousData })
  // The verdict is made over all calls.
  const judged = score.data?.calls === "all" ? score.data.computed_at : null
  const standing = useQuery(standingQuery(channel.id, horizon, judged))
  const [loadError, standingError] = [useLoadError(score), useLoadError(standing)]
  const figures = score.data?.horizons.find((each) => each.horizon === horizon)

  if (loadError) return <ErrorState title="Couldn’t load the score" error={loadError} retry={score.refetch} />
  if (!score.data) {
    return (
      <>
        <RecordSkeleton />
        <RowsSkeleton count={5} />
      </>
    )
  }
  const isOverAll = score.data.calls === "all"
  if (score.data.reason && isOverAll) {
    return (
      <EmptyState title="No score yet">
        <p className="soft">{score.data.reason}</p>
      </EmptyState>
    )
  }
  const isEmpty = score.data.horizons.every(
    ({ calls: scored, pending, unpriced }) => !scored && !pending && !unpriced,
  )
  if (!figures || (isEmpty && isOverAll)) {
    return (
      <EmptyState title={isRunning(channel) ? "No score yet" : "No calls to score"}>
        <p className="soft">
          {isRunning(channel)
            ? "The score is made when all videos are read."
            : "None of the videos read says to buy or to sell a stock."}
        </p>
      </EmptyState>
    )
  }
  return (
    <section className="score" aria-label="Score">
      <div className="score-switches">
        <HorizonSwitch />
        <CallsSwitch calls={calls} onCalls={(each) => change({ calls: each === "all" ? null : each })} />
      </div>
      {isEmpty ? (
        <NoCheckedCalls channelId={channel.id} reason={score.data.reason} />
      ) : (
        <>
          {standingError && (
            <ErrorState title="Couldn’t load the verdict" error={standingError} retry={standing.refetch} />
          )}
          <VerdictCard figures={figures} entry={standing.data} scorecard={score.data} coverage={coverage} />
          <HorizonsTable horizons={score.data.horizons} chosen={horizon} onChoose={choose} />
          {figures.calls > 0 && (
            <>
              {isOverAll && <FollowingIt channelId={channel.id} horizon={horizon} />}
              <div className="pair">
                <Distribution figures={figures} />
                <ByKind figures={figures} />
              </div>
              <Robustness figures={figures} />
              <BestAndWorst channelId={channel.id} figures={figures} />
            </>
          )}
        </>
      )}
      <Fingerprint channelId={channel.id} scorecard={score.data} />
    </section>
  )
}

function NoCheckedCalls({ channelId, reason }: { channelId: string; reason: string | null }) {
  return (
    <EmptyState title="No score over checked calls">
      <p className="soft">
        {reason ?? "What people have checked so far says neither to buy nor to sell a stock."}
      </p>
      <Link className="button" href={`/channels/${channelId}/review`}>
        Review calls
      </Link>
    </EmptyState>
  )
}
