/** A video with whether it was read, and why not. A transcript can be dropped on it. */

import { memo } from "react"
import type { ChannelVideo } from "../api/types"
import { ExternalLink } from "../components/ExternalLink"
import { Published } from "../components/Published"
import { RemovedNote } from "../components/RemovedNote"
import { describeTokens } from "../reading/reading-cost"
import { counted } from "../text/numbers"
import { Attempts } from "./Attempts"
import { ChooseFiles } from "./ChooseFiles"
import { useDrop } from "./drop"
import { stateOf, VIDEO_STATE_LABELS } from "./video-status"
import "./VideoRow.css"
import "../components/States.css"

interface Props {
  video: ChannelVideo
  disabled: boolean
  onFiles: (files: File[], video: ChannelVideo) => void
}

export const VideoRow = memo(function VideoRow({ video, disabled, onFiles }: Props) {
  const { isOver, handlers } = useDrop((files) => onFiles(files, video))
  const state = stateOf(video)
  const tokens = describeTokens(video)
  const isMissing = state === "missing" || state === "failed"
  return (
    <li className={`video ${isOver ? "drop" : ""}`} {...handlers}>
      <div className="video-side soft">
        <Published video={video} />
      </div>
      <div className="video-main">
        <h2 className="entry-title" dir="auto">
          <ExternalLink address={video.removed_at ? null : video.url}>{video.title}</ExternalLink>
        </h2>
        <p className="video-facts">
          <span className={`badge video-${state}`}>
            <span className="dot" aria-hidden="true" />
            {VIDEO_STATE_LABELS[state]}
          </span>
          {state === "read" && (
            <span className="soft">
              {counted(video.mentions, "mention", "mentions")}, {counted(video.calls, "call", "calls")}
              {video.analyst && ` · read by ${video.analyst}`}
              {tokens && ` · ${tokens}`}
              {!video.transcript_kept && " · transcript not kept"}
            </span>
          )}
        </p>
        {isMissing && video.problem && (
          <p className="video-problem" dir="auto">
            {video.problem}
          </p>
        )}
        <RemovedNote removedAt={video.removed_at} />
        <Attempts channelId={video.channel_id} videoId={video.id} />
      </div>
      <ChooseFiles
        label={`Upload the transcript of ${video.title}`}
        disabled={disabled}
        onFiles={(files) => onFiles(files, video)}
      >
        {isMissing ? "Upload transcript" : "Replace transcript"}
      </ChooseFiles>
    </li>
  )
})
