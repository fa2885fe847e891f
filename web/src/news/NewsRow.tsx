/** A headline with its tone, where it comes from, and the stocks that it is about. */

import { Link } from "wouter"
import type { News } from "../api/types"
import { ExternalLink } from "../components/ExternalLink"
import { formatTimestamp } from "../text/dates"
import { ToneChip } from "./NewsTone"
import { isFictional } from "./news"
import "./NewsRow.css"

export function NewsRow({ story }: { story: News }) {
  const fictional = isFictional(story)
  const { source_name: source, author } = story.metadata
  return (
    <li className="news-row">
      <div className="news-side soft">
        <ToneChip tone={story.sentiment ?? "pending"} />
        <time dateTime={story.timestamp}>{formatTimestamp(story.timestamp)}</time>
      </div>
      <div className="news-main">
        <h2 className="entry-title" dir="auto">
          {/* The address of a fictional headline leads nowhere. */}
          <ExternalLink address={fictional ? null : story.source_url}>{story.title}</ExternalLink>
        </h2>
        {story.text_snippet && (
          <p className="news-snippet soft" dir="auto">
            {story.text_snippet}
          </p>
        )}
        <p className="news-source soft">
          {source && <bdi>{source}</bdi>}
          {author && author !== source && <bdi>{author}</bdi>}
          {fictional && <span className="badge demo">Fictional</span>}
          <span className="news-tickers">
            {story.tags.map((ticker) => (
              <Link key={ticker} className="ticker touch" href={`/stocks/${encodeURIComponent(ticker)}`}>
                {ticker}
              </Link>
            ))}
          </span>
        </p>
      </div>
    </li>
  )
}
