/** The channel's videos with what is missing and why, and where transcripts are uploaded. The filter is part of the URL. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { useCallback, useRef } from "react"
import { videosQuery } from "../api/evidence-queries"
import { useLoadError } from "../api/load-error"
import type { ChannelVideo } from "../api/types"
import { LoadMore } from "../components/LoadMore"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState } from "../components/States"
import { useUrlState } from "../components/url-state"
import { counted } from "../text/numbers"
import { ChooseFiles } from "./ChooseFiles"
import { useDrop } from "./drop"
import { FileList } from "./FileList"
import { useFiles } from "./upload-files"
import { VideoRow } from "./VideoRow"
import { VIDEO_FILTER_LABELS, VIDEO_FILTERS } from "./video-status"
import "./VideosTab.css"

interface Props {
  channelId: string
  running: boolean
}

export default function VideosTab({ channelId, running }: Props) {
  const [search, change] = useUrlState()
  const filter = VIDEO_FILTERS.find((each) => each === search.get("status")) ?? null
  const videos = useInfiniteQuery(videosQuery(channelId, filter, running))
  const loadError = useLoadError(videos)
  const items = videos.data?.pages.flatMap((page) => page.items)
  const { files, isBusy, upload, clear } = useFiles(channelId)
  const { isOver, handlers } = useDrop((dropped) => upload(dropped))
  const latest = useRef(upload)
  latest.current = upload
  const onFiles = useCallback((given: File[], video: ChannelVideo) => latest.current(given, video), [])

  return (
    <section className={`videos ${isOver ? "drop" : ""}`} aria-label="Videos" {...handlers}>
      <div className="card panel upload">
        <div className="grow">
          <h2 className="section-title">Upload transcripts</h2>
          <p className="soft">
            Where YouTube refuses, drop the transcript (plain text, SRT or WebVTT) on its video. Drop many
            here at once if their names contain the YouTube id, as yt-dlp writes them:{" "}
            <span className="file-example">Title [dQw4w9WgXcQ].en.vtt</span>
          </p>
        </div>
        <ChooseFiles
          label="Choose transcript files"
          several
          disabled={isBusy}
          onFiles={(given) => upload(given)}
        >
          Choose files
        </ChooseFiles>
      </div>
      <FileList files={files} onClear={isBusy ? null : clear} />
      <search className="filters">
        <fieldset className="segments small">
          <legend className="visually-hidden">Show these videos</legend>
          {[null, ...VIDEO_FILTERS].map((each) => (
            <label key={each ?? "all"}>
              <input
                type="radio"
                name="status"
                checked={filter === each}
                onChange={() => change({ status: each })}
              />
              <span>{each ? VIDEO_FILTER_LABELS[each] : "All"}</span>
            </label>
          ))}
        </fieldset>
      </search>
      {loadError && <ErrorState title="Couldn’t load the videos" error={loadError} retry={videos.refetch} />}
      {!items && !loadError && <RowsSkeleton />}
      <p className="visually-hidden" role="status">
        {items && `${counted(items.length, "video", "videos")} shown`}
      </p>
      {items?.length === 0 && !videos.hasNextPage && (
        <EmptyState title={filter ? EMPTY[filter] : running ? "No videos yet" : "No videos"} />
      )}
      {items && items.length > 0 && (
        <ol className="video-list" aria-label="Videos, newest first">
          {items.map((video) => (
            <VideoRow key={video.id} video={video} disabled={isBusy} onFiles={onFiles} />
          ))}
        </ol>
      )}
      <LoadMore query={videos} label="Load older videos" />
    </section>
  )
}

const EMPTY = {
  missing: "No transcript is missing",
  fetched: "No video has been read yet",
  removed: "No video is gone from YouTube",
}
