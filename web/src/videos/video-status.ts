/** The reading state of a video, in words. */

import type { ChannelVideo } from "../api/types"

/** The filters of the list, as the API names them. */
export const VIDEO_FILTERS = ["missing", "fetched", "removed"] as const
export type VideoFilter = (typeof VIDEO_FILTERS)[number]

export const VIDEO_FILTER_LABELS: Record<VideoFilter, string> = {
  missing: "Missing",
  fetched: "Read",
  removed: "Removed",
}

export type VideoState = "waiting" | "reading" | "read" | "missing" | "failed"

export const VIDEO_STATE_LABELS: Record<VideoState, string> = {
  waiting: "Waiting",
  reading: "Being read",
  read: "Read",
  missing: "No transcript",
  failed: "Failed",
}

type Status = Pick<ChannelVideo, "transcript_status" | "analysis_status">

export function stateOf({ transcript_status: transcript, analysis_status: analysis }: Status): VideoState {
  if (transcript === "unavailable") return "missing"
  if (transcript === "failed" || analysis === "failed") return "failed"
  if (transcript === "pending") return "waiting"
  return analysis === "pending" ? "reading" : "read"
}

/** A transcript is there and has not been read: it was just uploaded. */
export function isBeingRead(video: Status): boolean {
  return stateOf(video) === "reading"
}
