/** Uploads transcript files one after the other, and reports the progress of each. */

import { useState } from "react"
import { useUploadTranscript } from "../api/evidence-mutations"
import { everyVideo } from "../api/evidence-queries"
import type { ChannelVideo } from "../api/types"
import { describeRefusal, type Matched, matchFiles, refusalOf } from "./transcript-files"

export interface FileProgress {
  name: string
  title: string | null
  state: "waiting" | "sending" | "done" | "failed"
  problem: string | null
}

export function useFiles(channelId: string) {
  const { mutateAsync } = useUploadTranscript(channelId)
  const [files, setFiles] = useState<FileProgress[]>([])
  const [isBusy, setBusy] = useState(false)

  const send = async (matched: readonly Matched<ChannelVideo>[]) => {
    const set = (place: number, part: Partial<FileProgress>) =>
      setFiles((list) => list.map((each, index) => (index === place ? { ...each, ...part } : each)))
    setFiles(
      matched.map((each) => {
        const problem = refusalOf(each)
        const title = each.video?.title ?? null
        return { name: each.file.name, title, state: problem ? "failed" : "waiting", problem }
      }),
    )
    for (const [place, each] of matched.entries()) {
      if (!each.video || refusalOf(each)) continue
      set(place, { state: "sending" })
      try {
        await mutateAsync({ videoId: each.video.id, file: each.file })
        set(place, { state: "done" })
      } catch (error) {
        set(place, { state: "failed", problem: describeRefusal(error) })
      }
    }
  }

  const whileBusy = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } finally {
      setBusy(false)
    }
  }

  /** Files that name their videos, or one for the video that it was dropped on. */
  const upload = (given: readonly File[], video: ChannelVideo | null = null) => {
    const [only] = given
    if (!only || isBusy) return
    void whileBusy(async () => {
      if (video && given.length === 1) return send([{ file: only, video }])
      setFiles(given.map(({ name }) => ({ name, title: null, state: "waiting", problem: null })))
      try {
        await send(await matchFiles(given, everyVideo(channelId)))
      } catch (error) {
        const problem = describeRefusal(error)
        setFiles(given.map(({ name }) => ({ name, title: null, state: "failed", problem })))
      }
    })
  }

  return { files, isBusy, upload, clear: () => setFiles([]) }
}
