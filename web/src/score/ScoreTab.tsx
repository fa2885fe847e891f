/** A channel's score: the verdict first, then what it stands on. What is chosen is part of the URL. */

import { useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { useLoadError } from "../api/load-error"
import { isRunning } from "../api/queries"
import { scoreQuery, standingQuery } from "../api/score-queries"
import type { CallsScored, Channel, Coverage } from "../api/types"
import { HorizonSwitch } from "../components/HorizonSwitch"
import { RecordSkeleton, RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { DEFAULT_HORIZON, horizonIn } from "../record/horizons"
import { BestAndWorst } from "./BestAndWorst"
import { ByKind } from "./ByKind"
import { CallsSwitch } from "./CallsSwitch"
import { Distribution } from "./Distribution"
import { Fingerprint } from "./Fingerprint"
import { FollowingIt } from "./FollowingIt"
import { HorizonsTable } from "./HorizonsTable"
import { Robustness } from "./Robustness"
import { VerdictCard } from "./VerdictCard"

export function ScoreTab({ channel, coverage }: { channel: Channel; coverage: Coverage }) {
  const [search, change] = useUrlState()
  const horizon = horizonIn(search)
  const calls: CallsScored = search.get("calls") === "checked" ? "checked" : "all"
  const score = useQuery(scoreQuery(channel.id, calls))
  // The verdict is made over all calls.
  const judged = calls === "all" ? score.data?.computed_at : null
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
  const callsSwitch = (
    <CallsSwitch calls={calls} onCalls={(each) => change({ calls: each === "all" ? null : each })} />
  )
  if (score.data.reason) {
    return (
      <EmptyState title="No score yet">
        <p className="soft">{score.data.reason}</p>
      </EmptyState>
    )
  }
  const isEmpty = score.data.horizons.every(
    ({ calls: scored, pending, unpriced }) => !scored && !pending && !unpriced,
  )
  if (calls === "checked" && isEmpty) {
    const { checked } = score.data.checked
    return (
      <section className="score" aria-label="Score">
        {callsSwitch}
        <EmptyState title={checked ? "No checked call can be scored" : "No call has been checked yet"}>
          <p className="soft">
            {checked
              ? "What people have checked so far says neither to buy nor to sell."
              : "Once a person has checked some of its calls, their score is shown here."}
          </p>
          <Link className="button" href={`/channels/${channel.id}/review`}>
            Review calls
          </Link>
        </EmptyState>
      </section>
    )
  }
  if (!figures || isEmpty) {
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
        <HorizonSwitch
          horizon={horizon}
          onHorizon={(each) => change({ horizon: each === DEFAULT_HORIZON ? null : each })}
        />
        {callsSwitch}
      </div>
      {standingError && (
        <ErrorState title="Couldn’t load the verdict" error={standingError} retry={standing.refetch} />
      )}
      <VerdictCard figures={figures} entry={standing.data} scorecard={score.data} coverage={coverage} />
      <HorizonsTable
        horizons={score.data.horizons}
        chosen={horizon}
        onChoose={(each) => change({ horizon: each === DEFAULT_HORIZON ? null : each })}
      />
      {figures.calls > 0 && (
        <>
          {calls === "all" && <FollowingIt channelId={channel.id} horizon={horizon} />}
          <div className="pair">
            <Distribution figures={figures} />
            <ByKind figures={figures} />
          </div>
          <Robustness figures={figures} />
          <BestAndWorst channelId={channel.id} figures={figures} />
        </>
      )}
      <Fingerprint channelId={channel.id} scorecard={score.data} />
    </section>
  )
}
