/** Two to four channels side by side. Which ones, and the horizon, are part of the URL. */

import { useQueries, useQuery } from "@tanstack/react-query"
import { useId } from "react"
import { failuresOf } from "../api/load-error"
import { allChannelsQuery } from "../api/queries"
import { backtestQuery, scoreQuery, standingQuery } from "../api/score-queries"
import type { Channel } from "../api/types"
import { CurveChart } from "../charts/CurveChart"
import { fromCommonStart } from "../charts/curves"
import { Breadcrumb } from "../components/Breadcrumb"
import { useDefaults } from "../components/defaults"
import { HorizonSwitch } from "../components/HorizonSwitch"
import { useHorizon } from "../components/horizon"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { DEFAULT_STRATEGY, formatCosts } from "../domain/backtest"
import { ExportButton } from "../exports/ExportButton"
import { CompareTable } from "../leaderboard/CompareTable"
import { channelsIn, entryOf, MAX_COMPARED } from "../leaderboard/compare"
import { formatDay } from "../text/dates"
import { withoutDemoSuffix } from "../text/demo"
import "../leaderboard/CompareTable.css"

export default function ComparePage() {
  useTitle("Compare channels")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const [search, change] = useUrlState()
  const { horizon } = useHorizon()
  const { costs } = useDefaults()
  const channels = useQuery(allChannelsQuery())
  const known = new Map(channels.data?.map((channel) => [channel.id, channel]))
  const ids = channels.data ? channelsIn(search).filter((id) => known.has(id)) : []
  const scores = useQueries({ queries: ids.map((id) => scoreQuery(id)) })
  const standings = useQueries({
    queries: ids.map((id, index) => standingQuery(id, horizon, scores[index]?.data?.computed_at)),
  })
  const backtests = useQueries({
    queries: ids.map((id) => backtestQuery(id, DEFAULT_STRATEGY, horizon, costs)),
  })
  const compared = ids.flatMap((id, index) => {
    const channel = known.get(id)
    const score = scores[index]?.data
    const figures = score?.horizons.find((each) => each.horizon === horizon)
    return channel ? { channel, figures, entry: entryOf(score, standings[index]?.data) } : []
  })
  const isLoading =
    channels.isPending || [...scores, ...standings, ...backtests].some((each) => each.isLoading)
  const failures = failuresOf([channels, ...scores, ...standings])
  const error = failures[0]?.error
  const choose = (chosen: readonly string[]) => change({ channels: chosen.join(",") })

  return (
    <div className="wide page" aria-busy={isLoading}>
      <Breadcrumb to={[{ href: "/", label: "Leaderboard" }]} />
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Compare channels
          </h1>
          <p className="soft">Two to four of them, at the same horizon.</p>
        </div>
        <div className="page-actions">
          <HorizonSwitch />
          {ids.length > 0 && <ExportButton key={ids.join()} channels={ids} />}
        </div>
      </div>
      {error && (
        <ErrorState
          title="Couldn’t load the channels"
          error={error}
          retry={() => {
            for (const failure of failures) void failure.refetch()
          }}
        />
      )}
      {(channels.data || !error) && (
        <Choice
          channels={channels.data ?? []}
          chosen={channels.data ? ids : channelsIn(search)}
          onChoose={(index, id) => {
            const next = id
              ? [...ids.slice(0, index), id, ...ids.slice(index + 1)]
              : ids.filter((_, place) => place !== index)
            choose(next)
          }}
        />
      )}
      {channels.data && ids.length < 2 && (
        <EmptyState title={ids.length ? "Choose one more channel" : "Choose two channels"}>
          <p className="soft">Their verdicts, figures and curves then stand side by side.</p>
        </EmptyState>
      )}
      {isLoading && !error && <RowsSkeleton count={12} />}
      {ids.length >= 2 && !isLoading && !error && (
        <>
          <CompareTable compared={compared} horizon={horizon} />
          <Curves
            costs={costs}
            names={compared.map(({ channel }) => withoutDemoSuffix(channel.name))}
            backtests={backtests.map(({ data }) => data?.points ?? [])}
          />
        </>
      )}
    </div>
  )
}

interface ChoiceProps {
  channels: readonly Channel[]
  chosen: readonly string[]
  onChoose: (index: number, id: string) => void
}

function Choice({ channels, chosen, onChoose }: ChoiceProps) {
  const field = useId()
  const places = Math.min(MAX_COMPARED, Math.max(2, chosen.length + 1))
  return (
    <search className="filters compare-choice">
      {Array.from({ length: places }, (_, index) => (
        <div key={chosen[index] ?? `empty ${index}`} className="filter">
          <label className="visually-hidden" htmlFor={`${field}-${index}`}>
            Channel {index + 1}
          </label>
          <select
            id={`${field}-${index}`}
            className="field"
            value={chosen[index] ?? ""}
            onChange={(event) => onChoose(index, event.target.value)}
          >
            <option value="">{chosen[index] ? "Remove" : "Choose a channel"}</option>
            {channels
              .filter(({ id }) => id === chosen[index] || !chosen.includes(id))
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {withoutDemoSuffix(name)}
                </option>
              ))}
          </select>
        </div>
      ))}
    </search>
  )
}

interface CurvesProps {
  costs: number
  names: readonly string[]
  backtests: readonly (readonly { date: string; value: number; benchmark: number }[])[]
}

function Curves({ costs, names, backtests }: CurvesProps) {
  const market = backtests.reduce((most, points) => (points.length > most.length ? points : most), [])
  const curves = fromCommonStart([
    ...names.map((label, index) => ({ label, points: backtests[index] ?? [] })),
    { label: "S&P 500", points: market.map(({ date, benchmark }) => ({ date, value: benchmark })) },
  ])
  const start = curves[0]?.points[0]?.date
  if (!start) return null
  return (
    <section className="card panel" aria-label="Curves">
      <h2 className="section-title">What following each would have made</h2>
      <p className="soft panel-note">
        Following the buys of each, {costs ? `at ${formatCosts(costs)} per trade` : "without costs"}. All
        begin with 100 on {formatDay(start)}, the first day that every channel covers.
      </p>
      <CurveChart
        curves={curves.map((curve, index) => ({ ...curve, isBenchmark: index === curves.length - 1 }))}
      />
    </section>
  )
}
