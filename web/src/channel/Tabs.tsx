import { Link } from "wouter"
import { formatCount } from "../text/numbers"

interface Props {
  id: string
  current: string
  stocks: number | undefined
  /** Those that mention a stock. */
  videos: number | undefined
}

export function Tabs({ id, current, stocks, videos }: Props) {
  const tabs = [
    { name: "stocks", label: "Stocks", count: stocks },
    { name: "timeline", label: "Timeline", count: videos },
    { name: "log", label: "Log", count: undefined },
  ]
  return (
    <nav className="tabs" aria-label="Channel views">
      {tabs.map(({ name, label, count }) => (
        <Link
          key={name}
          href={name === "stocks" ? `/channels/${id}` : `/channels/${id}/${name}`}
          aria-current={current === name ? "page" : undefined}
        >
          {label}
          {count !== undefined && <span className="tab-count">{formatCount(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}
