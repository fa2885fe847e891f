/** How many headlines a stock had in the week before a call, with a link to them. */

import { Link } from "wouter"
import type { NewsCounts } from "../api/types"
import { Icon } from "../components/Icon"
import { describeTones, newsAddress, totalOf, weekBefore } from "./news"
import "./NewsBefore.css"

interface Props {
  ticker: string
  counts: NewsCounts | null | undefined
  video: { published_at: string; published_time: string | null }
  /** When its link is followed. */
  onLeave?: (() => void) | undefined
}

export function NewsBefore({ ticker, counts, video, onLeave }: Props) {
  if (!counts || totalOf(counts) === 0) return null
  return (
    <Link className="news-before" href={newsAddress({ ticker, ...weekBefore(video) })} onClick={onLeave}>
      <Icon name="news" />
      {describeTones(counts)} in the week before
    </Link>
  )
}
