import { useLayoutEffect, useRef } from "react"
import { Link } from "wouter"
import { useHorizon } from "../components/horizon"
import { formatCount } from "../text/numbers"
import "./Tabs.css"

interface Props {
  id: string
  current: string
  /** Buys and sells. */
  calls: number
  stocks: number
  /** The number of videos that mention a stock. */
  videos: number
}

export function Tabs({ id, current, calls, stocks, videos }: Props) {
  const { search } = useHorizon()
  const tabs = [
    { name: "score", label: "Score", count: undefined },
    { name: "calls", label: "Calls", count: calls },
    { name: "stocks", label: "Stocks", count: stocks },
    { name: "timeline", label: "Timeline", count: videos },
    { name: "review", label: "Review", count: undefined },
    { name: "videos", label: "Videos", count: undefined },
    { name: "changes", label: "Changes", count: undefined },
    { name: "activity", label: "Activity", count: undefined },
    { name: "log", label: "Log", count: undefined },
  ]
  const bar = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current one is found by its mark.
  useLayoutEffect(() => {
    const shown = bar.current?.querySelector<HTMLElement>("[aria-current]")
    // Only the bar scrolls, never the page.
    if (bar.current && shown) bar.current.scrollLeft = shown.offsetLeft - bar.current.clientWidth / 3
  }, [current])
  return (
    <nav ref={bar} className="tabs" aria-label="Channel views">
      {tabs.map(({ name, label, count }) => (
        <Link
          key={name}
          href={`/channels/${id}${name === "score" ? "" : `/${name}`}${search}`}
          aria-current={current === name ? "page" : undefined}
        >
          {label}
          {count !== undefined && <span className="tab-count">{formatCount(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}
