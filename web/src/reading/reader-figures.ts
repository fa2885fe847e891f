/** The measured figures of readers, in words. */

import { formatDay, formatMonth } from "../text/dates"
import { formatCount, formatShare } from "../text/numbers"

const READERS: Record<string, string> = {
  rules: "Rules",
  "large language model": "A large language model",
  bedrock: "The model on Amazon Bedrock",
  openai: "The model of an OpenAI-compatible service",
  ollama: "The model in Ollama",
}

export function readerLabel(reader: string): string {
  return READERS[reader] ?? reader
}

/** "57 of 78 (73%)", or a dash where there was nothing to count. */
export function describeCounts(part: number, whole: number, locale?: string): string {
  if (!whole) return "–"
  return `${formatCount(part, locale)} of ${formatCount(whole, locale)} (${formatShare(part / whole, locale)})`
}

/** A measurement is dated by its month (2026-11) or its day. */
export function formatMeasuredAt(date: string, locale?: string): string {
  return date.length === "2026-11".length ? formatMonth(date, locale) : formatDay(date, locale)
}
