/** How the figures are computed, what they cover and how certain they are, in sentences. */

import type { ChannelStocks, Coverage, Summary } from "../api/types"
import { formatDay } from "../text/dates"
import { counted, formatCount, formatShareRange } from "../text/numbers"
import { shareInterval } from "./change"

const SMALLEST_SAMPLE = 10

type Outcome = Summary["buys"]

interface Circumstances {
  demo: boolean
  locale?: string
}

export function isSmallSample({ priced }: Pick<Outcome, "priced">): boolean {
  return priced < SMALLEST_SAMPLE
}

export function confidenceNote({ hits, priced }: Outcome, locale?: string): string {
  const interval = shareInterval(hits, priced)
  if (!interval) return "There are no priced buy calls, so there is no hit rate."
  const calls = counted(priced, "priced buy call", "priced buy calls", locale)
  return (
    `With ${calls}, the true hit rate is probably ${formatShareRange(interval, locale)}; ` +
    "as calls overlap and share one market, it is less certain than that."
  )
}

/** How far the calls themselves can be trusted; nothing until that is known. */
export function readingNote(callsReadRight: number | null | undefined): string {
  if (callsReadRight === undefined) return ""
  if (callsReadRight === null) return "How often this analyst reads calls rightly has not been measured."
  const of10 = Math.floor(callsReadRight * 10)
  return `About ${of10} of 10 calls are read rightly, measured on other speakers' videos, and some are missed.`
}

export function methodNotes({ coverage, summary }: ChannelStocks, { demo, locale }: Circumstances): string[] {
  const asOf = summary.prices_as_of ? ` (${formatDay(summary.prices_as_of.slice(0, 10), locale)})` : ""
  return [
    `Each call runs from the close on the day of its video to the latest price${asOf}.`,
    "The average counts each stock once, from its first buy call.",
    demo
      ? "Prices are adjusted for splits and dividends."
      : "Dividends are not included, and nothing is compared with an index: a rising market lifts most buys.",
    ...(coverage.unpriced
      ? [`${counted(coverage.unpriced, "call", "calls", locale)} excluded (no price).`]
      : []),
    `${describeVideos(coverage, locale)}.`,
  ]
}

/** For instance "14 of 47 videos read, 3 without transcript, 9 calls unpriced". */
export function describeCoverage(coverage: Coverage, locale?: string): string {
  const { unpriced } = coverage
  const videos = describeVideos(coverage, locale)
  return unpriced ? `${videos}, ${counted(unpriced, "call", "calls", locale)} unpriced` : videos
}

function describeVideos({ videos, read, without_transcript, failed }: Coverage, locale?: string): string {
  return [
    `${formatCount(read, locale)} of ${counted(videos, "video", "videos", locale)} read`,
    ...(without_transcript ? [`${formatCount(without_transcript, locale)} without transcript`] : []),
    ...(failed ? [`${formatCount(failed, locale)} failed`] : []),
  ].join(", ")
}
