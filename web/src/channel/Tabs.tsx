import { Link } from "wouter"
import { formatCount } from "../text/numbers"

interface Props {
  id: string
  current: string
  stocks: number | undefined
  videos: number | undefined
}

export function Tabs({ id, current, stocks, videos }: Props) {
  const tabs = [
    { name: "stocks", word: "Stocks", count: stocks },
    { name: "timeline", word: "Timeline", count: videos },
    { name: "log", word: "Log", count: undefined },
  ]
  return (
    <nav className="tabs" aria-label="Views of this channel">
      {tabs.map(({ name, word, count }) => (
        <Link
          key={name}
          href={name === "stocks" ? `/channels/${id}` : `/channels/${id}/${name}`}
          aria-current={current === name ? "page" : undefined}
        >
          {word}
          {count !== undefined && <span className="tab-count">{formatCount(count)}</span>}
        </Link>
      ))}
    </nav>
  )
}
