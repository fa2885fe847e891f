/** Sentences on what the figures cover and how reliable the calls are. */

import type { Coverage, Setup } from "../api/types"
import { counted, formatCount } from "../text/numbers"

/** How far the calls themselves can be trusted; nothing until that is known. */
export function readingNote(callsReadRight: number | null | undefined): string {
  if (callsReadRight === undefined) return ""
  if (callsReadRight === null) return "How often this analyst reads calls correctly has not been measured."
  const of10 = Math.floor(callsReadRight * 10)
  return `About ${of10} of 10 calls are read correctly, measured on other speakers' videos, and many are missed.`
}

const PRICE_SOURCES: Record<string, string> = {
  yahoo: "Yahoo Finance",
  finnhub: "Finnhub",
  tiingo: "Tiingo",
}

/** Where this server has its videos, prices and calls from, a sentence each. */
export function describeSources({ videos, prices, analyst }: Setup): string[] {
  return [
    videos === "demo"
      ? "Channels, videos and transcripts are the demo’s, and fictional."
      : "Videos are listed by YouTube. Transcripts are its captions, or uploaded files.",
    prices === "demo"
      ? "Prices are real daily closes from January 2019 to December 2022, which come with the demo."
      : `Prices are daily closes from ${PRICE_SOURCES[prices] ?? prices}.`,
    analyst === "rules"
      ? "Calls are found in transcripts by rules that are part of this program, without a language model."
      : `Calls are found in transcripts by a language model (${analyst}).`,
  ]
}

/** For instance "14 of 47 videos read, 3 without transcript, 9 calls unpriced". */
export function describeCoverage(coverage: Coverage, locale?: string): string {
  const { unpriced } = coverage
  const videos = describeVideos(coverage, locale)
  return unpriced ? `${videos}, ${counted(unpriced, "call", "calls", locale)} unpriced` : videos
}

/** For instance "14 of 47 videos read, 3 without transcript". */
export function describeVideos(
  { videos, read, without_transcript, failed }: Coverage,
  locale?: string,
): string {
  return [
    `${formatCount(read, locale)} of ${counted(videos, "video", "videos", locale)} read`,
    ...(without_transcript ? [`${formatCount(without_transcript, locale)} without transcript`] : []),
    ...(failed ? [`${formatCount(failed, locale)} failed`] : []),
  ].join(", ")
}
