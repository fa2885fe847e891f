/** Sentences on what the figures cover and how reliable the calls are. */

import type { Coverage, Reading, Setup } from "../api/types"
import { counted, formatCount } from "../text/numbers"

/** How far the calls themselves can be trusted, both ways: what is reported, and what is missed. */
export function readingNote({ right, found, source }: ReaderFigures): string {
  if (right === null) return "How often this analyst reads calls correctly has not been measured."
  const correct = `About ${inShares(right)} reported calls are read correctly`
  const missed = found === null ? "" : `; about ${ofCallsMade(found)} found`
  return source === "reviews"
    ? `${correct}, by a random sample that people have checked${missed}.`
    : `${correct}${missed}, measured on other speakers' videos.`
}

export interface ReaderFigures {
  /** The share of the reported calls that are right; null if it has not been measured. */
  right: number | null
  /** The share of the calls made that are reported. */
  found: number | null
  source?: Reading["source"]
}

/** For instance "8 in 10", "19 in 20" where it is nearly all, or "1 in 6" where it is less than a quarter. */
function inShares(rate: number): string {
  if (rate > 0 && rate < 0.25) return `1 in ${Math.round(1 / rate)}`
  return rate < 0.925 ? `${Math.round(rate * 10)} in 10` : "19 in 20"
}

function ofCallsMade(rate: number): string {
  const share = inShares(rate)
  return `${share} of the calls made ${share.startsWith("1 in ") ? "is" : "are"}`
}

/** True if rules read any of the calls, so that a language model would find more of them. */
export function isReadByRules(analysts: readonly string[]): boolean {
  return analysts.some((analyst) => analyst.startsWith("rules"))
}

const PRICE_SOURCES: Record<string, string> = {
  yahoo: "Yahoo Finance",
  finnhub: "Finnhub",
  tiingo: "Tiingo",
}

const ANALYSTS: Record<string, string> = {
  rules: "Calls are found in transcripts by rules that are part of this program, without a language model.",
  recorded:
    "The demo’s transcripts come with a large language model’s responses, which are replayed. Uploaded transcripts are read by rules.",
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
    ANALYSTS[analyst] ?? `Calls are found in transcripts by a language model (${analyst}).`,
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
