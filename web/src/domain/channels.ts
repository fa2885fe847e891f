/** Channels by what a reader made of them. */

import type { Channel, Watchlist } from "../api/types"
import { withoutDemoSuffix } from "../text/demo"

export function namesOf(channels: readonly Pick<Channel, "id" | "name">[] | undefined): Map<string, string> {
  return new Map(channels?.map(({ id, name }) => [id, withoutDemoSuffix(name)]))
}

/** True if the last run ended before it read a video, so that the score is empty. */
export function wasNeverRead(channel: Pick<Channel, "status" | "processed_video_count">): boolean {
  return !channel.processed_video_count && ["failed", "cancelled"].includes(channel.status)
}

/** The first page of the list, with what is watched before the rest: `every` has those of later pages. */
export function watchedFirst(
  page: readonly Channel[],
  every: readonly Channel[],
  list: Pick<Watchlist, "channel_ids"> | undefined,
): Channel[] {
  const known = new Map([...every, ...page].map((channel) => [channel.id, channel]))
  const watched = (list?.channel_ids ?? []).flatMap((id) => known.get(id) ?? [])
  return [...new Set([...watched, ...page])]
}

/** True if a watched channel is not on the page. It may have been deleted. */
export function lacksWatched(
  page: readonly Pick<Channel, "id">[],
  list: Pick<Watchlist, "channel_ids"> | undefined,
): boolean {
  const ids = new Set(page.map(({ id }) => id))
  return list?.channel_ids.some((id) => !ids.has(id)) ?? false
}
