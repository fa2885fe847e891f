/** Exports: what they hold, how far they are, how large they are and how long they are kept, in words. */

import type { Export, ExportStatus } from "../api/types"
import { formatMonthDay } from "../text/dates"
import { counted, formatCount, formatNumber } from "../text/numbers"

export type FileFormat = Export["format"]

export const FORMATS: readonly FileFormat[] = ["csv", "jsonl"]
export const FORMAT_LABELS: Record<FileFormat, string> = { csv: "CSV", jsonl: "JSON Lines" }
export const FORMAT_NOTES: Record<FileFormat, string> = {
  csv: "For spreadsheets, and for checking the scores with the script in the zip.",
  jsonl: "For programs: one JSON object per line, with numbers and lists as they are.",
}

export const EXPORT_LABELS: Record<ExportStatus, string> = {
  PENDING: "Waiting",
  PROCESSING: "Writing",
  COMPLETED: "Ready",
  FAILED: "Failed",
}

/** The most channels that one export may name. */
export const MAX_EXPORTED = 100

export function isOpen({ status }: Pick<Export, "status">): boolean {
  return status === "PENDING" || status === "PROCESSING"
}

/** Which channels it holds: their names where they are few. `names` has those that are known. */
export function describeChannels(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  if (!ids.length) return "All channels"
  const known = ids.flatMap((id) => names.get(id) ?? [])
  const [first, second] = known
  if (ids.length === 1) return first ?? "One channel"
  if (ids.length === 2 && first && second) return `${first} and ${second}`
  return first
    ? `${first} and ${formatCount(ids.length - 1)} more`
    : counted(ids.length, "channel", "channels")
}

/** The channels that a dialog offers, in few words. */
export function describeOffered(ids: readonly string[], names: ReadonlyMap<string, string>): string {
  const [first] = ids
  if (ids.length === 1 && first) return names.get(first) ?? "This channel"
  return `These ${formatCount(ids.length)}`
}

/** For instance "3 of 12 channels". */
export function describeWriting(
  { channels, channels_done }: Pick<Export, "channels" | "channels_done">,
  locale?: string,
): string {
  if (channels === null) return "Waiting to begin"
  return `${formatCount(channels_done, locale)} of ${counted(channels, "channel", "channels", locale)}`
}

/** For instance "until December 17". */
export function describeExpiry(expiresAt: string, now: Date, locale?: string): string {
  return `until ${formatMonthDay(expiresAt, now, locale)}`
}

const UNITS = ["kB", "MB", "GB"]

/** For instance "812 bytes", "4.2 MB", "36 MB". */
export function formatBytes(bytes: number, locale?: string): string {
  if (bytes < 1000) return counted(bytes, "byte", "bytes", locale)
  let [value, unit] = [bytes / 1000, 0]
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${formatNumber(value, value < 9.95 ? 1 : 0, locale)} ${UNITS[unit]}`
}

/** True if a download may be opened: a path of this server, or an https address. */
export function downloadAddress(url: string | null, origin: string): string | null {
  if (!url || !URL.canParse(url, origin)) return null
  const address = new URL(url, origin)
  return address.origin === origin || address.protocol === "https:" ? address.href : null
}
