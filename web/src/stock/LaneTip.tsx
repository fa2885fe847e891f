/** The headlines of a bar of the lane. Once it is chosen, their links can be followed. */

import { Link } from "wouter"
import { describeError } from "../api/errors"
import type { News } from "../api/types"
import { ExternalLink } from "../components/ExternalLink"
import { ToneShape } from "../news/NewsTone"
import { isFictional, newsAddress, type Period, TONE_LABELS, totalOf } from "../news/news"
import { addDays } from "../text/dates"
import { counted } from "../text/numbers"
import { describeDay, describeDays, type LaneBar } from "./news-lane"
import "./NewsLane.css"
import "./ChartTooltip.css"

const TIP_WIDTH = 352

interface Props {
  ticker: string
  bar: LaneBar
  /** The width of the lane. */
  width: number
  stories: readonly News[] | undefined
  error: Error | null
  isPinned: boolean
}

export function LaneTip({ ticker, bar, width, stories, error, isPinned }: Props) {
  const tipWidth = Math.min(TIP_WIDTH, width)
  const left = Math.max(0, Math.min(bar.x - tipWidth / 2, width - tipWidth))
  const more = totalOf(bar) + bar.pending - (stories?.length ?? 0)
  return (
    <div
      className={`lane-tip ${isPinned ? "pinned" : ""}`}
      style={{ left: `${left}px`, width: `${tipWidth}px` }}
    >
      <p className="tooltip-head">
        <span className="strong">{describeDays(bar)}</span>
        <span className="soft">{describeDay(bar)}</span>
      </p>
      {!stories && <p className="soft">{error ? describeError(error) : "Loading…"}</p>}
      <ul className="lane-stories">
        {stories?.map((story) => (
          <li key={story.source_id}>
            <ToneShape tone={story.sentiment ?? "pending"} />
            <span>
              <span className="visually-hidden">{TONE_LABELS[story.sentiment ?? "pending"]}: </span>
              <span dir="auto">
                <ExternalLink address={isPinned && !isFictional(story) ? story.source_url : null}>
                  {story.title}
                </ExternalLink>
              </span>
              <span className="soft">
                {" "}
                <bdi>{story.metadata.source_name}</bdi>
                {isFictional(story) && ", fictional"}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {stories && more > 0 && <p className="soft">And {counted(more, "more headline", "more headlines")}</p>}
      {isPinned && (
        <Link className="touch" href={newsAddress({ ticker, ...periodOf(bar) })}>
          Open in News
        </Link>
      )}
    </div>
  )
}

/** From the beginning of its first day to the end of its last. */
export function periodOf({ first, last }: Pick<LaneBar, "first" | "last">): Period {
  return { since: first, before: addDays(last, 1) }
}
