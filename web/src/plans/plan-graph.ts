/** The tasks of a plan as columns and lines: a task stands one column after the last of those it depends on. */

import type { Task, TaskStatus } from "../api/types"

/** More than this many tasks are drawn as one box per column. */
export const MOST_BOXES = 60

type Node = Pick<Task, "key" | "depends_on" | "status">

/** The columns from left to right; within one, tasks stand near those that they depend on. */
export function columnsOf<Each extends Pick<Task, "key" | "depends_on">>(tasks: readonly Each[]): Each[][] {
  const columns: Each[][] = []
  for (const [task, depth] of depthsOf(tasks)) {
    columns[depth] ??= []
    columns[depth].push(task)
  }
  const place = new Map<string, number>()
  for (const column of columns) {
    const wish = new Map(column.map((task) => [task.key, meanPlace(task.depends_on, place)]))
    column.sort((one, other) => (wish.get(one.key) ?? 0) - (wish.get(other.key) ?? 0))
    for (const [index, task] of column.entries()) place.set(task.key, index / column.length)
  }
  return columns
}

/** Each task with the length of the longest chain before it. Without recursion: a chain may be 500 long. */
function depthsOf<Each extends Pick<Task, "key" | "depends_on">>(tasks: readonly Each[]): Map<Each, number> {
  const byKey = new Map(tasks.map((task) => [task.key, task]))
  const needs = (task: Each) => task.depends_on.flatMap((key) => byKey.get(key) ?? [])
  const waiting = new Map(tasks.map((task) => [task.key, needs(task).length]))
  const neededBy = new Map<string, Each[]>()
  for (const task of tasks) {
    for (const { key } of needs(task)) neededBy.set(key, [...(neededBy.get(key) ?? []), task])
  }
  const depths = new Map<Each, number>()
  const ready = tasks.filter((task) => !waiting.get(task.key))
  for (const task of ready) {
    depths.set(task, Math.max(-1, ...needs(task).map((each) => depths.get(each) ?? 0)) + 1)
    for (const next of neededBy.get(task.key) ?? []) {
      const left = (waiting.get(next.key) ?? 0) - 1
      waiting.set(next.key, left)
      // Grows while it is walked through.
      if (left === 0) ready.push(next)
    }
  }
  return depths
}

function meanPlace(keys: readonly string[], place: ReadonlyMap<string, number>): number {
  const known = keys.flatMap((key) => place.get(key) ?? [])
  return known.length ? known.reduce((sum, each) => sum + each, 0) / known.length : 0
}

export const BOX = { width: 208, height: 52, gapX: 56, gapY: 14 } as const

export interface Box<Each> {
  task: Each
  x: number
  y: number
}

export interface Drawing<Each> {
  width: number
  height: number
  boxes: Box<Each>[]
  /** The data of an SVG path from a task to one that depends on it. */
  lines: { key: string; path: string; status: TaskStatus }[]
}

export function drawPlan<Each extends Node>(tasks: readonly Each[]): Drawing<Each> {
  const columns = columnsOf(tasks)
  const tallest = Math.max(0, ...columns.map(({ length }) => length))
  const height = span(tallest, BOX.height, BOX.gapY)
  const boxes = columns.flatMap((column, depth) => {
    const top = (height - span(column.length, BOX.height, BOX.gapY)) / 2
    return column.map((task, row) => ({
      task,
      x: depth * (BOX.width + BOX.gapX),
      y: top + row * (BOX.height + BOX.gapY),
    }))
  })
  const byKey = new Map(boxes.map((box) => [box.task.key, box]))
  const lines = boxes.flatMap((box) =>
    box.task.depends_on.flatMap((key) => {
      const from = byKey.get(key)
      if (!from) return []
      return [{ key: `${key} ${box.task.key}`, path: lineBetween(from, box), status: from.task.status }]
    }),
  )
  return { width: span(columns.length, BOX.width, BOX.gapX), height, boxes, lines }
}

function span(count: number, size: number, gap: number): number {
  return count ? count * size + (count - 1) * gap : 0
}

function lineBetween(from: Box<unknown>, to: Box<unknown>): string {
  const [startX, startY] = [from.x + BOX.width, from.y + BOX.height / 2]
  const [endX, endY] = [to.x, to.y + BOX.height / 2]
  const bend = BOX.gapX / 2
  return `M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`
}
