/** When a channel first spoke of each stock, and how. */

import type { Mention, TimelineEntry, Video } from "../api/types"
import type { Kind } from "./kinds"

export interface Call {
  mention: Mention
  video: Video
}

/** Oldest first. Of two videos of a day the one with the lower id counts as the earlier, as in the API. */
export function callsInOrder(timeline: readonly TimelineEntry[]): Call[] {
  const entries = [...timeline].sort(
    (one, other) =>
      compare(one.video.published_at, other.video.published_at) || compare(one.video.id, other.video.id),
  )
  return entries.flatMap(({ video, mentions }) => mentions.map((mention) => ({ mention, video })))
}

/** By ticker; of one kind, or of any. */
export function firstMentions(timeline: readonly TimelineEntry[], kind?: Kind): Map<string, Call> {
  const firsts = new Map<string, Call>()
  for (const call of callsInOrder(timeline)) {
    if (kind && call.mention.sentiment !== kind) continue
    if (!firsts.has(call.mention.ticker)) firsts.set(call.mention.ticker, call)
  }
  return firsts
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
