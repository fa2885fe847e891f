import { describe, expect, it } from "vitest"
import { tasksFromLinks } from "../../src/plans/plans"

describe("pasted links", () => {
  it("become a task that adds and one that scores, each channel once", () => {
    const { tasks, channels, problems } = tasksFromLinks(
      "https://www.youtube.com/@Ada\n\n @grace.hopper \nyoutube.com/@ada\r\n",
    )

    expect(problems).toEqual([])
    expect(channels).toBe(2)
    expect(tasks).toEqual([
      { key: "add-ada", kind: "add_channel", url: "https://www.youtube.com/@Ada" },
      { key: "score-ada", kind: "score", depends_on: ["add-ada"] },
      { key: "add-grace.hopper", kind: "add_channel", url: "https://www.youtube.com/@grace.hopper" },
      { key: "score-grace.hopper", kind: "score", depends_on: ["add-grace.hopper"] },
    ])
  })

  it("get keys that the API takes, whatever the script of a name", () => {
    const { tasks } = tasksFromLinks("@株式\n@投資\n@a株")

    const keys = tasks.map(({ key }) => key)
    expect(new Set(keys).size).toBe(6)
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
  })

  it("that are none are named with their line", () => {
    const { problems } = tasksFromLinks("@ada\nhttps://example.com/@b\nyoutube.com/")

    expect(problems).toEqual([
      "Line 2: That isn’t a YouTube link. Try youtube.com/@name.",
      "Line 3: That link isn’t complete.",
    ])
  })

  it("are at most 250", () => {
    const text = Array.from({ length: 251 }, (_, index) => `@channel${index}`).join("\n")

    expect(tasksFromLinks(text).problems).toEqual(["A plan takes at most 250 links; these are 251."])
  })
})
