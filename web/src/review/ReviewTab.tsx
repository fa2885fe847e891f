/** The calls that a person should look at, one at a time, by keyboard or touch: doubtful ones, or a random sample. */

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { callQuery, type QueueOrder, reviewQueueQuery } from "../api/evidence-queries"
import { useLoadError } from "../api/load-error"
import type { Mention, ReviewItem } from "../api/types"
import { Icon } from "../components/Icon"
import { LoadMore } from "../components/LoadMore"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { KeysHelp } from "./KeysHelp"
import { QueueItem } from "./QueueItem"
import { QueueList } from "./QueueList"
import { type Judged, useReviewCall } from "./review-call"
import { useReviewKeys } from "./review-keys"
import { type Answer, type Command, describeProgress, describeSample, neighbour, requestFor } from "./reviews"
import "./ReviewTab.css"

interface Props {
  channelId: string
  running: boolean
}

interface Reviewed {
  judged: Judged
  after: Mention
}

export default function ReviewTab({ channelId, running }: Props) {
  const client = useQueryClient()
  const [search, change] = useUrlState()
  const keysAreOn = search.get("keys") !== "off"
  const order: QueueOrder = search.get("order") === "sample" ? "sample" : "doubt"
  const queue = useInfiniteQuery(reviewQueueQuery(channelId, order))
  const loadError = useLoadError(queue)
  const items = queue.data?.pages.flatMap((page) => page.items) ?? []
  const left = queue.data?.pages.at(-1)?.remaining ?? 0
  const sample = queue.data?.pages.at(-1)?.sample
  const [chosen, choose] = useState<string | null>(null)
  const [note, setNote] = useState("")
  const [reviewed, setReviewed] = useState<Reviewed[]>([])
  const [showsKeys, showKeys] = useState(false)
  const noteField = useRef<HTMLTextAreaElement>(null)
  const panel = useRef<HTMLElement>(null)
  const { review, undo, isPending } = useReviewCall()
  const current = items.find(({ mention }) => mention.id === chosen) ?? items[0]
  const context = useQuery({ ...callQuery(placeOf(channelId, current)), enabled: current !== undefined })
  const following = current && neighbour(items, current, 1)

  useEffect(() => {
    if (following) client.prefetchQuery(callQuery(placeOf(channelId, following)))
  }, [client, channelId, following])

  // The last of those loaded is near: the next page comes before it is asked for.
  const isNearEnd = current !== undefined && items.indexOf(current) >= items.length - 3
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = queue
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetchingNextPage) fetchNextPage()
  }, [isNearEnd, hasNextPage, isFetchingNextPage, fetchNextPage])

  const show = (item: ReviewItem | undefined) => {
    choose(item?.mention.id ?? null)
    setNote("")
    panel.current?.focus({ preventScroll: true })
  }
  const answer = (given: Answer) => {
    if (!current || isPending) return
    const next = following === current ? neighbour(items, current, -1) : following
    const judged = { place: placeOf(channelId, current), mention: current.mention, review: null }
    review(judged, requestFor(given, current.mention, note), {
      onDone: (after) => {
        setReviewed((list) => [...list, { judged, after }])
        show(next === current ? undefined : next)
      },
      onUndone: () => takeBack(current.mention.id),
      onFailed: () => queue.refetch(),
    })
  }
  const takeBack = async (mentionId: string) => {
    setReviewed((list) => list.filter(({ after }) => after.id !== mentionId))
    await queue.refetch()
    choose(mentionId)
    panel.current?.focus({ preventScroll: true })
  }
  const undoLast = () => {
    const last = reviewed.at(-1)
    if (last && !isPending) void undo(last.judged, last.after, () => takeBack(last.after.id))
  }
  const run = (command: Command) => {
    if (command === "next") show(neighbour(items, current, 1))
    else if (command === "previous") show(neighbour(items, current, -1))
    else if (command === "undo") undoLast()
    else if (command === "note") noteField.current?.focus()
    else if (command === "help") showKeys((shown) => !shown)
    else answer(command)
  }
  useReviewKeys(keysAreOn, run)

  if (loadError) {
    return <ErrorState title="Couldn’t load the calls to review" error={loadError} retry={queue.refetch} />
  }
  if (!queue.data) return <RowsSkeleton />
  return (
    <section className="review" aria-label="Review">
      <fieldset className="segments small">
        <legend className="visually-hidden">Which calls to check</legend>
        <label>
          <input
            type="radio"
            name="order"
            checked={order === "doubt"}
            onChange={() => change({ order: null })}
          />
          <span>Doubtful ones</span>
        </label>
        <label>
          <input
            type="radio"
            name="order"
            checked={order === "sample"}
            onChange={() => change({ order: "sample" })}
          />
          <span>20 at random</span>
        </label>
      </fieldset>
      <div className="review-head">
        <p className="review-progress" role="status">
          {sample ? describeSample(sample.size, left) : describeProgress(reviewed.length, left)}
        </p>
        <button type="button" className="button" disabled={!reviewed.length || isPending} onClick={undoLast}>
          <Icon name="undo" />
          Undo
        </button>
        <button
          type="button"
          className="button"
          aria-expanded={showsKeys}
          onClick={() => showKeys((shown) => !shown)}
        >
          Keys{" "}
          <span className="key" aria-hidden="true">
            ?
          </span>
        </button>
      </div>
      {showsKeys && <KeysHelp isOn={keysAreOn} onChange={(isOn) => change({ keys: isOn ? null : "off" })} />}
      {!current && sample && sample.size > 0 && <SampleDone />}
      {!current && !sample?.size && <NothingLeft running={running} reviewed={reviewed.length} />}
      {current && (
        <div className="review-columns">
          <QueueItem
            key={current.mention.id}
            panel={panel}
            channelId={channelId}
            item={current}
            context={context.data}
            note={note}
            onNote={setNote}
            noteField={noteField}
            withKeys={keysAreOn}
            disabled={isPending}
            onAnswer={answer}
            onStep={(step) => show(neighbour(items, current, step))}
          />
          <div>
            <QueueList items={items} current={current} onChoose={show} />
            <LoadMore query={queue} label="Load more calls" />
          </div>
        </div>
      )}
    </section>
  )
}

function SampleDone() {
  return (
    <EmptyState title="All done">
      <p className="soft">
        Every call of the sample has been checked. From 20 on, the score uses the answers.
      </p>
    </EmptyState>
  )
}

function NothingLeft({ running, reviewed }: { running: boolean; reviewed: number }) {
  const title = reviewed ? "All done" : "Nothing to review"
  return (
    <EmptyState title={title}>
      <p className="soft">
        {running
          ? "Doubtful calls appear here as videos are read."
          : "Every call that was read with doubt has been checked by a person, or there is none."}
      </p>
    </EmptyState>
  )
}

function placeOf(channelId: string, item: ReviewItem | undefined) {
  return { channelId, videoId: item?.mention.video_id ?? "", ticker: item?.mention.ticker ?? "" }
}
