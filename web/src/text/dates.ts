/** Days and times in the reader's locale. */

const formats = new Map<string, Intl.DateTimeFormat>()

function format(date: Date, options: Intl.DateTimeFormatOptions, locale?: string): string {
  if (Number.isNaN(date.getTime())) return "–"
  const key = `${locale} ${JSON.stringify(options)}`
  let cached = formats.get(key)
  if (!cached) {
    cached = new Intl.DateTimeFormat(locale, options)
    formats.set(key, cached)
  }
  return cached.format(date)
}

/** A calendar day, the same wherever the reader is. */
export function formatDay(day: string, locale?: string): string {
  return format(asDate(day), { dateStyle: "medium", timeZone: "UTC" }, locale)
}

/** A month such as 2025-12 with its name. */
export function formatMonth(month: string, locale?: string): string {
  return format(asDate(`${month}-01`), { month: "long", year: "numeric", timeZone: "UTC" }, locale)
}

/** A timestamp, in the reader's time zone. */
export function formatTimestamp(timestamp: string, locale?: string): string {
  return format(new Date(timestamp), { dateStyle: "medium", timeStyle: "short" }, locale)
}

/** A timestamp to the second, in the reader's time zone. */
export function formatSecond(timestamp: string, locale?: string): string {
  return format(new Date(timestamp), { dateStyle: "medium", timeStyle: "medium" }, locale)
}

/** The time of day in New York, where the exchanges are. */
export function formatNewYorkTime(timestamp: string, locale?: string): string {
  return format(new Date(timestamp), { timeStyle: "short", timeZone: "America/New_York" }, locale)
}

export function formatTime(timestamp: string, locale?: string): string {
  return format(new Date(timestamp), { timeStyle: "medium" }, locale)
}

/** The day of a timestamp, in the reader's time zone, with its year unless that is the present one. */
export function formatMonthDay(timestamp: string, now: Date, locale?: string): string {
  const date = new Date(timestamp)
  const options: Intl.DateTimeFormatOptions = { month: "long", day: "numeric" }
  return format(
    date,
    date.getFullYear() === now.getFullYear() ? options : { ...options, year: "numeric" },
    locale,
  )
}

const NEW_YORK_HOUR = new Intl.DateTimeFormat("en", {
  hour: "numeric",
  hourCycle: "h23",
  timeZone: "America/New_York",
})

/** The timestamp at which a day begins in New York. */
export function newYorkMidnight(day: string): string {
  // At five in UTC it is midnight there in winter, and one in summer.
  const five = asDate(day).getTime() + 5 * 3_600_000
  return new Date(five - Number(NEW_YORK_HOUR.format(five)) * 3_600_000).toISOString()
}

/** Labels of a time axis: a year, a month, or a day with its month. */
export function formatTick(day: string, unit: "year" | "month" | "day", locale?: string): string {
  const parts = {
    year: { year: "numeric" },
    month: { month: "short" },
    day: { month: "short", day: "numeric" },
  }
  const options = parts[unit] as Intl.DateTimeFormatOptions
  return format(asDate(day), { ...options, timeZone: "UTC" }, locale)
}

export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

export function addDays(day: string, days: number): string {
  const date = asDate(day)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

export function addMonths(day: string, months: number): string {
  const date = asDate(day)
  date.setUTCMonth(date.getUTCMonth() + months)
  // A day the month does not have becomes its last one: 31 March minus one month is 28 February.
  if (date.getUTCDate() !== Number(day.slice(8))) date.setUTCDate(0)
  return date.toISOString().slice(0, 10)
}

function asDate(day: string): Date {
  return new Date(`${day}T00:00:00Z`)
}
