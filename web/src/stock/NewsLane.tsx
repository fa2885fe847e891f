/**
 * The tone of the news of each day, on the time axis of the chart above it: good news up, bad news down. Hovering over a
 * bar shows its headlines; tapping it, or choosing it with the arrow keys, keeps them.
 */

import { useQuery } from "@tanstack/react-query"
import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react"
import { Link } from "wouter"
import { headlinesQuery, newsSummaryQuery } from "../api/news-queries"
import type { Close } from "../api/types"
import { newsAddress } from "../news/news"
import { LaneBars } from "./LaneBars"
import { LaneTip, periodOf } from "./LaneTip"
import {
  barOf,
  describeDay,
  describeDays,
  type LaneBar,
  laneBars,
  laneDays,
  mostOf,
  nearestBar,
} from "./news-lane"
import "./NewsLane.css"

/** How many pixels beside a bar still count as on it. */
const BAR_RADIUS = 14
/** Bars that are only passed over are not asked for. */
const REST_MILLISECONDS = 100

/** Where the sessions are on the chart. */
export interface TimeAxis {
  width: number
  xOf: (session: string) => number | null
}

interface Props {
  ticker: string
  closes: readonly Close[]
  /** Null until the chart is drawn. */
  axis: TimeAxis | null
}

export function NewsLane({ ticker, closes, axis }: Props) {
  const since = closes[0]?.date ?? null
  const summary = useQuery({ ...newsSummaryQuery(ticker, { since, before: null }), enabled: since !== null })
  const days = useMemo(() => laneDays(summary.data?.days ?? [], closes), [summary.data, closes])
  const bars = axis ? laneBars(days, axis.xOf, axis.width) : []
  return (
    <div className="news-lane">
      {axis && bars.length > 0 && <Lane ticker={ticker} bars={bars} width={axis.width} />}
      {axis && summary.data && bars.length === 0 && (
        <p className="lane-note soft">
          {days.length ? "No news on the days shown" : `No news about ${ticker} in this period`}
        </p>
      )}
      {summary.error && !summary.data && (
        <p className="lane-note soft" role="status">
          Couldn’t load the news.{" "}
          <button type="button" className="link-button" onClick={() => summary.refetch()}>
            Try again
          </button>
        </p>
      )}
      <Link className="lane-link touch" href={newsAddress({ ticker })} aria-label={`News about ${ticker}`}>
        News
      </Link>
    </div>
  )
}

function Lane({ ticker, bars, width }: { ticker: string; bars: readonly LaneBar[]; width: number }) {
  const lane = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const pinned = barOf(bars, chosen)
  const shown = barOf(bars, hovered) ?? pinned
  const headlines = useQuery({
    ...headlinesQuery(ticker, shown ? periodOf(shown) : { since: null, before: null }),
    enabled: useRested(shown?.session ?? null) !== null,
  })
  const stories = headlines.data?.items
  const index = shown ? bars.indexOf(shown) : bars.length - 1

  const barUnder = (event: PointerEvent) => {
    const left = lane.current?.getBoundingClientRect().left ?? 0
    return nearestBar(bars, event.clientX - left, BAR_RADIUS)?.session ?? null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== lane.current) return
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: bars.length - 1 }[event.key]
    if (target === undefined) return
    event.preventDefault()
    setHovered(null)
    setChosen(bars[Math.max(0, Math.min(target, bars.length - 1))]?.session ?? null)
  }
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setChosen(null)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the tip from wherever the focus is in it.
    <div
      className="lane-place"
      style={{ width: `${width}px` }}
      onBlur={onBlur}
      onKeyDown={(event) => event.key === "Escape" && setChosen(null)}
    >
      <div
        ref={lane}
        className="lane"
        role="slider"
        tabIndex={0}
        aria-label={`News about ${ticker} by day`}
        aria-valuemin={1}
        aria-valuemax={bars.length}
        aria-valuenow={index + 1}
        aria-valuetext={
          shown
            ? inWords(
                shown,
                stories?.map(({ title }) => title),
              )
            : "No day chosen"
        }
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          if (!pinned && event.target.matches(":focus-visible")) setChosen(bars.at(-1)?.session ?? null)
        }}
        onPointerDown={(event) => setChosen(barUnder(event))}
        onPointerMove={(event) => {
          if (event.pointerType === "mouse") setHovered(barUnder(event))
          else if (event.buttons) setChosen(barUnder(event))
        }}
        onPointerLeave={() => setHovered(null)}
      >
        <LaneBars bars={bars} most={mostOf(bars)} width={width} shown={shown} />
      </div>
      {shown && (
        <LaneTip
          ticker={ticker}
          bar={shown}
          width={width}
          stories={stories}
          error={headlines.error}
          isPinned={shown === pinned}
        />
      )}
    </div>
  )
}

function inWords(bar: LaneBar, titles: readonly string[] = []): string {
  return [`${describeDays(bar)}: ${describeDay(bar)}`, ...titles].join(". ")
}

/** Returns the value once it has stopped changing; null before. */
function useRested(value: string | null): string | null {
  const [rested, setRested] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [value])
  return rested === value ? rested : null
}
