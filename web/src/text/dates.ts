/** Days and moments as the reader's locale writes them. */

const formats = new Map<string, Intl.DateTimeFormat>()

function format(date: Date, options: Intl.DateTimeFormatOptions, locale?: string): string {
  if (Number.isNaN(date.getTime())) return "–"
  const key = `${locale} ${JSON.stringify(options)}`
  let known = formats.get(key)
  if (!known) {
    known = new Intl.DateTimeFormat(locale, options)
    formats.set(key, known)
  }
  return known.format(date)
}

/** A calendar day, the same wherever the reader is. */
export function formatDay(day: string, locale?: string): string {
  return format(asDate(day), { dateStyle: "medium", timeZone: "UTC" }, locale)
}

/** A moment, in the reader's own time zone. */
export function formatMoment(moment: string, locale?: string): string {
  return format(new Date(moment), { dateStyle: "medium", timeStyle: "short" }, locale)
}

export function formatTime(moment: string, locale?: string): string {
  return format(new Date(moment), { timeStyle: "medium" }, locale)
}

export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  const date = asDate(day)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

export function addYears(day: string, years: number): string {
  const date = asDate(day)
  date.setUTCFullYear(date.getUTCFullYear() + years)
  // The 29th of February becomes the 28th, not the 1st of March.
  if (date.getUTCDate() !== Number(day.slice(8))) date.setUTCDate(0)
  return date.toISOString().slice(0, 10)
}

function asDate(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}
