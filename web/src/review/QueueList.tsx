import { useEffect, useRef } from "react"
import type { ReviewItem } from "../api/types"
import { KindChip } from "../components/Kind"
import { formatDay } from "../text/dates"
import { readingOf } from "./reviews"
import "./QueueList.css"

interface Props {
  items: readonly ReviewItem[]
  current: ReviewItem
  onChoose: (item: ReviewItem) => void
}

/** The other calls in the review queue. */
export function QueueList({ items, current, onChoose }: Props) {
  const list = useRef<HTMLOListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current one is found by its mark.
  useEffect(() => {
    const [box, shown] = [list.current, list.current?.querySelector<HTMLElement>("[aria-current]")]
    // Only the list scrolls, never the page.
    if (box && shown && box.scrollHeight > box.clientHeight) {
      box.scrollTop = shown.offsetTop - box.clientHeight / 2
    }
  }, [current.mention.id])
  return (
    <ol ref={list} className="card flat queue-list" aria-label="Calls to review">
      {items.map((item) => {
        const { mention } = item
        return (
          <li key={mention.id}>
            <button
              type="button"
              aria-current={item === current ? "true" : undefined}
              onClick={() => onChoose(item)}
            >
              <span className="queue-call">
                <span className="ticker">{mention.ticker}</span> <KindChip kind={readingOf(mention)} />{" "}
                {mention.video && <span className="soft">{formatDay(mention.video.published_at)}</span>}
              </span>
              <span className="queue-words" dir="auto">
                {mention.context_snippet}
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
