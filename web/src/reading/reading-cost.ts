/** Who reads the transcripts, where they are sent and what that costs, in sentences. */

import type { Setup } from "../api/types"
import { formatMonth } from "../text/dates"
import { counted, formatAmount, formatPrice, formatRoundCount } from "../text/numbers"

/** The most that the API estimates. */
const MAX_VIDEOS = 100_000
const THIS_MACHINE = "this machine"
/** They send nothing to a model. */
const WITHOUT_MODEL = ["rules", "recorded"]
const CENT = 0.01
const CENTS_UNTIL = 100

type Costs = Pick<Setup, "reader" | "estimate">

/** The number of videos to ask an estimate for, or null if there is nothing to read. */
export function videosToEstimate(videos: number): number | null {
  return videos > 0 ? Math.min(videos, MAX_VIDEOS) : null
}

/** "Read by gpt-5-mini. Transcripts are sent to api.openai.com." */
export function describeReader({ name, sends_to }: Setup["reader"]): string {
  const who = name ? `Read by ${name}.` : "The model that reads isn’t set up yet."
  const where = sends_to === THIS_MACHINE ? "stay on this machine" : `are sent to ${sends_to}`
  return `${who} Transcripts ${where}.`
}

/** "Reading 100 videos takes about 1.2 million tokens, about $1.50 at list prices of December 2025." */
export function describeCost({ reader, estimate }: Costs, locale?: string): string {
  const reading = `Reading ${counted(estimate.videos, "video", "videos", locale)}`
  if (WITHOUT_MODEL.includes(reader.provider)) return `${reading} costs nothing.`
  const tokens = estimate.tokens_in + estimate.tokens_out
  const takes = `${reading} takes about ${formatRoundCount(tokens, locale)} tokens`
  return `${takes}${describePrice({ reader, estimate }, locale)}.${describeLimit(tokens, reader.daily_tokens, locale)}`
}

function describePrice({ reader, estimate: { dollars } }: Costs, locale?: string): string {
  if (dollars === null) return "; the price of this model isn’t known here"
  if (dollars === 0) return " and costs nothing"
  const source = reader.prices_as_of
    ? `list prices of ${formatMonth(reader.prices_as_of, locale)}`
    : "the prices in the settings"
  return `, ${formatDollars(dollars, locale)} at ${source}`
}

function formatDollars(dollars: number, locale?: string): string {
  if (dollars < CENT) return `less than ${formatPrice(CENT, locale)}`
  return `about ${dollars < CENTS_UNTIL ? formatPrice(dollars, locale) : formatAmount(dollars, locale)}`
}

function describeLimit(tokens: number, daily: number | null, locale?: string): string {
  if (daily === null || tokens <= daily) return ""
  return ` It pauses after ${formatRoundCount(daily, locale)} tokens a day and goes on the next day.`
}

interface Tokens {
  tokens_in: number | null
  tokens_out: number | null
}

/** "1.2 million tokens" sent and returned, or null if no model read. */
export function describeTokens({ tokens_in, tokens_out }: Tokens, locale?: string): string | null {
  const tokens = (tokens_in ?? 0) + (tokens_out ?? 0)
  return tokens > 0 ? `${formatRoundCount(tokens, locale)} ${tokens === 1 ? "token" : "tokens"}` : null
}
