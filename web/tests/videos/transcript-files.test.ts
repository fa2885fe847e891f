import { describe, expect, it } from "vitest"
import { ApiError } from "../../src/api/errors"
import { describeRefusal, idsInName, matchFiles, refusalOf } from "../../src/videos/transcript-files"

const ID = "dQw4w9WgXcQ"

const file = (name: string, size = 3) => new File(["x".repeat(size)], name)

async function* videos(...ids: string[]) {
  for (const youtube_video_id of ids) yield { youtube_video_id }
}

describe("the YouTube id in a file's name", () => {
  it.each([
    `${ID}.txt`,
    `${ID}.en.vtt`,
    `${ID}.en-US.srt`,
    `${ID}.en-orig.vtt`,
    `Never Gonna [${ID}].en.vtt`,
    `[2019] Best of [${ID}].en.vtt`,
    `folder/sub folder/Title [${ID}].vtt`,
    `C:\\transcripts\\${ID}.srt`,
    `20240131_${ID}.txt`,
    `Title-${ID}.en.vtt`,
    `${ID} what I bought.txt`,
  ])("is found in %s", (name) => {
    expect(idsInName(name)).toContain(ID)
  })

  it("is the last in brackets where there are two", () => {
    expect(idsInName(`Reply to [aaaaaaaaaaa] [${ID}].en.vtt`)[0]).toBe(ID)
  })

  it("may begin with a dash", () => {
    expect(idsInName("Title [-abc_defghi].en.vtt")[0]).toBe("-abc_defghi")
    expect(idsInName("-abc_defghi.vtt")[0]).toBe("-abc_defghi")
  })

  it("is not there in a plain name", () => {
    expect(idsInName("transcript.txt")).toEqual([])
    expect(idsInName("my notes.srt")).toEqual([])
  })
})

describe("files uploaded together", () => {
  it("find their videos by name, and say where there is none", async () => {
    const files = [
      file(`A [${ID}].en.vtt`),
      file("unknown.txt"),
      file("bbbbbbbbbbb.srt"),
      file("ccccccccccc.srt"),
    ]

    const matched = await matchFiles(files, videos("bbbbbbbbbbb", ID))

    expect(matched.map(({ video }) => video?.youtube_video_id ?? null)).toEqual([
      ID,
      null,
      "bbbbbbbbbbb",
      null,
    ])
    expect(matched.map(refusalOf)).toEqual([
      null,
      "There is no YouTube id in its name. Drop it on its video instead.",
      null,
      "This channel has no video with the YouTube id in its name.",
    ])
  })

  it("read no more videos than they need", async () => {
    let read = 0
    async function* counted() {
      for await (const video of videos(ID, "bbbbbbbbbbb", "ccccccccccc")) {
        read += 1
        yield video
      }
    }

    await matchFiles([file(`${ID}.vtt`)], counted())

    expect(read).toBe(1)
  })

  it("are refused before they are sent where they are empty or too large", () => {
    const video = { youtube_video_id: ID }

    expect(refusalOf({ file: file("a.txt", 0), video })).toBe("It is empty.")
    expect(refusalOf({ file: file("a.txt", 5_000_001), video })).toBe("It is larger than 5 MB.")
    expect(refusalOf({ file: file("a.txt", 5_000_000), video })).toBeNull()
  })

  it("say why the API did not take them", () => {
    expect(describeRefusal(new ApiError(409, "x"))).toMatch("being processed")
    expect(describeRefusal(new ApiError(413, "x"))).toBe("It is larger than 5 MB.")
    expect(describeRefusal(new ApiError(415, "x"))).toMatch("not a text")
    expect(describeRefusal(new ApiError(422, "x"))).toBe("There are no words in it.")
    expect(describeRefusal(new ApiError(500, "Something went wrong"))).toBe("Something went wrong")
    expect(describeRefusal(new TypeError())).toBe("Can’t reach the server.")
  })
})
