/** Which video a transcript file belongs to, by the YouTube id in its name. */

import { ApiError, describeError } from "../api/errors"

export const MAX_TRANSCRIPT_BYTES = 5_000_000
export const TRANSCRIPT_TYPES = ".vtt,.srt,.txt,text/plain,text/vtt,application/x-subrip"

const ID = "[A-Za-z0-9_-]{11}"
/** `.vtt`, and the language before it: `.en.vtt`, `.en-US.srt`, `.en-orig.vtt`. */
const ENDINGS = /(?:\.[A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)?\.[A-Za-z0-9]{2,5}$/

/**
 * The ids that a file's name may mean, the likeliest first: in brackets as yt-dlp writes it (`Title [id].en.vtt`), the
 * whole name, or its end or beginning.
 */
export function idsInName(fileName: string): string[] {
  const name = fileName.replace(/^.*[\\/]/, "")
  const stem = name.replace(ENDINGS, "")
  const found = [
    ...[...name.matchAll(new RegExp(`\\[(${ID})\\]`, "g"))].map(([, id]) => id).reverse(),
    new RegExp(`^(${ID})$`).exec(stem)?.[1],
    new RegExp(`^(${ID})\\.`).exec(name)?.[1],
    new RegExp(`[\\s_-](${ID})$`).exec(stem)?.[1],
    new RegExp(`^(${ID})[\\s_-]`).exec(stem)?.[1],
  ]
  return [...new Set(found.filter((id) => id !== undefined))]
}

export interface Matched<Video> {
  file: File
  video: Video | null
}

/** Each file with its video, reading videos only until every file has one. */
export async function matchFiles<Video extends { youtube_video_id: string }>(
  files: readonly File[],
  videos: AsyncIterable<Video>,
): Promise<Matched<Video>[]> {
  const wanted = files.map(({ name }) => idsInName(name))
  const known = new Map<string, Video>()
  const isWhole = () => wanted.every((ids) => !ids.length || ids.some((id) => known.has(id)))
  if (!isWhole()) {
    for await (const video of videos) {
      known.set(video.youtube_video_id, video)
      if (isWhole()) break
    }
  }
  return files.map((file, index) => {
    const id = wanted[index]?.find((each) => known.has(each))
    return { file, video: (id && known.get(id)) || null }
  })
}

/** Says why a file cannot be uploaded, before it is sent; empty if it can. */
export function refusalOf({ file, video }: Matched<unknown>): string | null {
  if (!video) {
    return idsInName(file.name).length
      ? "This channel has no video with the YouTube id in its name."
      : "There is no YouTube id in its name. Drop it on its video instead."
  }
  if (file.size > MAX_TRANSCRIPT_BYTES) return "It is larger than 5 MB."
  return file.size === 0 ? "It is empty." : null
}

const REFUSALS: Record<number, string> = {
  404: "This video is no longer in the record.",
  409: "The channel is being processed. Try again when it has finished.",
  413: "It is larger than 5 MB.",
  415: "It is not a text. Upload plain text, SRT or WebVTT.",
  422: "There are no words in it.",
}

/** Why the API did not take a file. */
export function describeRefusal(error: unknown): string {
  return (error instanceof ApiError && REFUSALS[error.status]) || describeError(error)
}
