/** Notes on stocks: their length, who wrote them, and the list after a change. */

import type { Note } from "../api/types"
import { formatCount } from "../text/numbers"

export const MAX_NOTE_LENGTH = 5000
/** The counter appears when this many characters or fewer are left. */
const COUNTED_FROM = 500

/** Control characters but line breaks and tabs, which the API refuses. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** Returns the text to send, without the invisible characters that pasted text may contain. */
export function cleanNote(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(CONTROL, "").trim()
}

/** How many characters are left, as the API counts them: an emoji is one. */
export function charactersLeft(text: string): number {
  return MAX_NOTE_LENGTH - [...cleanNote(text)].length
}

export function canSave(text: string): boolean {
  return cleanNote(text) !== "" && charactersLeft(text) >= 0
}

/** Nothing until the end is near. */
export function describeLeft(left: number, locale?: string): string {
  if (left > COUNTED_FROM) return ""
  if (left >= 0) return `${formatCount(left, locale)} characters left`
  return `${formatCount(-left, locale)} too many: a note has at most ${formatCount(MAX_NOTE_LENGTH, locale)} characters`
}

/** Authors are known by the subjects of their tokens, which are long and say nothing. */
export function describeAuthor(author: string, me: string | undefined): string {
  if (author === me) return "You"
  if (author === "owner") return "Owner"
  if (author === "local") return "Local user"
  return author.length > 12 ? `User ${author.slice(0, 8)}…` : `User ${author}`
}

export function isEdited({ version }: Pick<Note, "version">): boolean {
  return version > 1
}

/** With those that are being changed, in their places by age: ids sort by creation. */
export function withEdited(items: readonly Note[], edited: readonly Note[]): Note[] {
  const missing = edited.filter(({ id }) => !items.some((each) => each.id === id))
  if (!missing.length) return [...items]
  return [...items, ...missing].sort((one, other) => (one.id < other.id ? 1 : -1))
}

interface Pages<Item> {
  items: Item[]
  nextToken: string | null
}

/** With a note that was written or changed: a new one is the newest. */
export function withNote<Page extends Pages<Note>>(pages: readonly Page[], note: Note): Page[] {
  const isThere = pages.some(({ items }) => items.some(({ id }) => id === note.id))
  return pages.map((page, index) => ({
    ...page,
    items: isThere
      ? page.items.map((each) => (each.id === note.id ? note : each))
      : index === 0
        ? [note, ...page.items]
        : page.items,
  }))
}

export function withoutNote<Page extends Pages<Note>>(pages: readonly Page[], id: string): Page[] {
  return pages.map((page) => ({ ...page, items: page.items.filter((each) => each.id !== id) }))
}
