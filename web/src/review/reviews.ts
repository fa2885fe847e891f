/** Reviews of how a call was read: what a person can say of it, how that is sent, and how it reads afterwards. */

import type {
  Mention,
  Review,
  ReviewedMention,
  ReviewItem,
  ReviewOutcome,
  ReviewQueue,
  ReviewRequest,
  ScoredCall,
} from "../api/types"
import { KINDS, type Kind, LABELS } from "../domain/kinds"
import { type Correction, PLAIN_ACTS } from "../domain/policy"
import { formatCount } from "../text/numbers"

/** An answer by one key: the correct kind, a rejection, or a confirmation. */
export type QuickAnswer = Kind | "rejected" | "confirmed"

/** A reviewer's answer: one by a key, or the statement as it should have been read. */
export type Answer = QuickAnswer | Correction

export const ANSWERS: readonly QuickAnswer[] = [...KINDS, "rejected", "confirmed"]

export const ANSWER_LABELS: Record<QuickAnswer, string> = {
  ...LABELS,
  mentioned: "Only mentioned",
  rejected: "Not about this stock",
  confirmed: "Confirm",
}

export const ANSWER_KEYS: Record<QuickAnswer, string> = {
  buy: "1",
  hold: "2",
  sell: "3",
  mentioned: "4",
  rejected: "x",
  confirmed: "Enter",
}

type Reviewed = Pick<Mention, "sentiment" | "read_as" | "review" | "review_version">

/** The analyst's own reading, before any review. */
export function readingOf({ sentiment, read_as }: Pick<Mention, "sentiment" | "read_as">): Kind {
  return read_as ?? sentiment
}

/** The request for an answer. The API refuses it if someone else has reviewed the call since. */
export function requestFor(answer: Answer, mention: Reviewed, note: string): ReviewRequest {
  const rest = { ...(note.trim() ? { note: note.trim() } : {}), version: mention.review_version ?? 0 }
  if (typeof answer === "object") return { review: "corrected", ...answer, ...rest }
  if (answer === "rejected" || answer === "confirmed") return { review: answer, ...rest }
  if (answer === readingOf(mention)) return { review: "confirmed", ...rest }
  return { review: "corrected", sentiment: answer, ...rest }
}

/** The statement that a correction starts from; a call read before statements were kept has only its kind. */
export function correctionOf(mention: Pick<ReviewedMention, "statement" | "sentiment">): Correction {
  const { statement, sentiment } = mention
  if (!statement) return { act: PLAIN_ACTS[sentiment], speaker: "host", sponsored: false }
  const { act, speaker, sponsored } = statement
  return { act, speaker, sponsored }
}

/** The request that undoes a review: `after` is the call as it is now. */
export function undoRequest(
  before: Pick<Mention, "sentiment" | "review">,
  review: Pick<Review, "note" | "act" | "speaker" | "sponsored" | "blind"> | null,
  after: Pick<Mention, "review_version">,
): ReviewRequest {
  return {
    review: before.review,
    ...(before.review === "corrected" ? correctedBefore(before.sentiment, review) : {}),
    ...(before.review && review?.note ? { note: review.note } : {}),
    ...(before.review ? { blind: review?.blind ?? false } : {}),
    version: after.review_version ?? 0,
  }
}

function correctedBefore(
  sentiment: Kind,
  review: Pick<Review, "act" | "speaker" | "sponsored"> | null,
): Partial<ReviewRequest> {
  if (!review?.act) return { sentiment }
  const { act, speaker, sponsored } = review
  return { act, speaker, sponsored }
}

/** How far the random sample has been checked. */
export function describeSample(size: number, left: number): string {
  if (!size) return "There is no buy or sell to check yet."
  return `Check ${formatCount(size)} at random: ${formatCount(size - left)} of ${formatCount(size)} done`
}

/** The badge text of a reviewed call. */
export function describeReview(review: ReviewOutcome, readAs: Kind | null): string {
  if (review === "confirmed") return "Confirmed by a person"
  if (review === "rejected") return "Rejected: counts nowhere"
  return readAs ? `Corrected: was read as ${inWords(readAs)}` : "Corrected by a person"
}

/** The notice after a review. */
export function describeDone({
  ticker,
  sentiment,
  review,
}: Pick<Mention, "ticker" | "sentiment" | "review">): string {
  if (review === "confirmed") return `${ticker} confirmed as ${inWords(sentiment)}`
  if (review === "corrected") return `${ticker} corrected to ${inWords(sentiment)}`
  if (review === "rejected") return `${ticker} rejected: it counts nowhere`
  return `Review of ${ticker} withdrawn`
}

/** For instance "a buy", "only mentioned". */
export function inWords(kind: Kind): string {
  return kind === "mentioned" ? "only mentioned" : `a ${kind}`
}

export const REASONS: Record<ReviewItem["reason"], string> = {
  possible: "Possibly a call",
  doubtful: "Read with doubt",
  influential: "To be checked",
  sampled: "Drawn at random",
}

export function isRejected({ review }: Pick<ScoredCall, "review">): boolean {
  return review === "rejected"
}

/** For instance "12 reviewed now, 31 left". */
export function describeProgress(reviewed: number, left: number, locale?: string): string {
  return `${formatCount(reviewed, locale)} reviewed now, ${formatCount(left, locale)} left`
}

/** The pages of the queue without a mention that was reviewed. */
export function withoutMention(pages: readonly ReviewQueue[], mentionId: string): ReviewQueue[] {
  const isThere = pages.some(({ items }) => items.some(({ mention }) => mention.id === mentionId))
  return pages.map((page) => ({
    ...page,
    items: page.items.filter(({ mention }) => mention.id !== mentionId),
    remaining: Math.max(0, page.remaining - (isThere ? 1 : 0)),
  }))
}

/** The item after the one given, or before it; the nearest one where there is none. */
export function neighbour<Item>(
  items: readonly Item[],
  current: Item | undefined,
  step: 1 | -1,
): Item | undefined {
  if (!current) return items[0]
  const place = items.indexOf(current) + step
  return items[Math.min(Math.max(place, 0), items.length - 1)]
}

export type Command = QuickAnswer | "next" | "previous" | "undo" | "note" | "help"

const OTHER_KEYS: Record<string, Command> = { j: "next", k: "previous", u: "undo", n: "note", "?": "help" }
const COMMANDS = new Map<string, Command>([
  ...ANSWERS.map((answer): [string, Command] => [ANSWER_KEYS[answer], answer]),
  ...Object.entries(OTHER_KEYS),
])

/** Maps a key to its action in the queue; ignores keys with a modifier, which belong to the browser or the system. */
export function commandFor(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">,
): Command | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  return COMMANDS.get(event.key.length === 1 ? event.key.toLowerCase() : event.key) ?? null
}
