import { describe, expect, it } from "vitest"
import type { Task } from "../../src/api/types"
import { columnsOf, drawPlan } from "../../src/plans/plan-graph"
import { describeStatuses } from "../../src/plans/plans"
import { aTask } from "../builders"

function keysOf(tasks: readonly Task[]): string[][] {
  return columnsOf(tasks).map((column) => column.map(({ key }) => key))
}

describe("the graph of a plan", () => {
  it("puts a task after the longest way to it", () => {
    const tasks = [
      aTask("end", ["short", "long"]),
      aTask("short"),
      aTask("middle", ["first"]),
      aTask("long", ["middle"]),
      aTask("first"),
    ]

    expect(keysOf(tasks)).toEqual([["short", "first"], ["middle"], ["long"], ["end"]])
  })

  it("keeps tasks beside those they depend on", () => {
    const tasks = [aTask("a"), aTask("b"), aTask("after-b", ["b"]), aTask("after-a", ["a"])]

    expect(keysOf(tasks)[1]).toEqual(["after-a", "after-b"])
  })

  it("takes a chain of 500 and a fan-in of 499", () => {
    const chain = Array.from({ length: 500 }, (_, index) =>
      aTask(`t${index}`, index ? [`t${index - 1}`] : []),
    )
    const many = Array.from({ length: 499 }, (_, index) => aTask(`t${index}`))

    expect(columnsOf(chain)).toHaveLength(500)
    expect(
      columnsOf([
        ...many,
        aTask(
          "end",
          many.map(({ key }) => key),
        ),
      ]).map(({ length }) => length),
    ).toEqual([499, 1])
  })

  it("has a box for each task, a line for each dependency, and room for all", () => {
    const { boxes, lines, width, height } = drawPlan([aTask("a"), aTask("b"), aTask("c", ["a", "b"])])

    expect(boxes).toHaveLength(3)
    expect(lines.map(({ key }) => key)).toEqual(["a c", "b c"])
    for (const { x, y } of boxes) {
      expect(x).toBeLessThan(width)
      expect(y).toBeLessThan(height)
    }
  })

  it("tells its states in words", () => {
    const tasks = [aTask("a"), aTask("b"), { ...aTask("c"), status: "failed" as const }]

    expect(describeStatuses(tasks, "en")).toBe("2 waiting, 1 failed")
  })
})
