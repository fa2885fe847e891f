/** Numbers in the reader's locale. */

const formats = new Map<string, Intl.NumberFormat>()

function format(value: number, options: Intl.NumberFormatOptions, locale?: string): string {
  const key = `${locale} ${JSON.stringify(options)}`
  let cached = formats.get(key)
  if (!cached) {
    cached = new Intl.NumberFormat(locale, options)
    formats.set(key, cached)
  }
  return cached.format(value)
}

/** All prices are in US dollars. */
export function formatPrice(price: number | null, locale?: string): string {
  if (price === null) return "–"
  return format(price, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" }, locale)
}

/** An amount of US dollars without cents. */
export function formatAmount(dollars: number | null, locale?: string): string {
  if (dollars === null) return "–"
  const options: Intl.NumberFormatOptions = {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: 0,
  }
  return format(dollars, options, locale)
}

/** A percentage as in the API (12.5 is 12.5 %), always with its sign. */
export function formatChange(percent: number | null, locale?: string): string {
  return percent === null ? "–" : formatSigned(percent, 1, locale)
}

/** The same with two decimals, for sums that a reader may follow. */
export function formatExact(percent: number, locale?: string): string {
  return formatSigned(percent, 2, locale)
}

function formatSigned(percent: number, decimals: number, locale?: string): string {
  const options: Intl.NumberFormatOptions = {
    style: "percent",
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: "exceptZero",
  }
  return format(percent / 100, options, locale)
}

/** A share from 0 to 1. */
export function formatShare(share: number | null, locale?: string): string {
  return share === null ? "–" : format(share, { style: "percent", maximumFractionDigits: 0 }, locale)
}

/** A probability: under one in a hundred the exact figure says nothing more. */
export function formatProbability(value: number | null, locale?: string): string {
  return value !== null && value < 0.01 ? `< ${formatShare(0.01, locale)}` : formatShare(value, locale)
}

/** Two shares from 0 to 1 as a range: 75–95%. */
export function formatShareRange([low, high]: readonly [number, number], locale?: string): string {
  return `${format(Math.round(low * 100), {}, locale)}–${formatShare(high, locale)}`
}

/** Two percentages as in the API as a range: -2.0% and +5.1%. */
export function formatPercentRange(low: number, high: number, locale?: string): string {
  return `${formatChange(low, locale)} and ${formatChange(high, locale)}`
}

/** A plain number with up to two decimals, such as a t value. */
export function formatNumber(value: number | null, decimals = 2, locale?: string): string {
  if (value === null) return "–"
  return format(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }, locale)
}

export function formatCount(count: number, locale?: string): string {
  return format(count, {}, locale)
}

const MILLION = 1_000_000

/** A large count to two digits: 830,000 or 1.2 million. */
export function formatRoundCount(count: number, locale?: string): string {
  const options: Intl.NumberFormatOptions = { maximumSignificantDigits: 2 }
  const rounded = Number(count.toPrecision(2))
  return rounded < MILLION
    ? format(rounded, options, locale)
    : `${format(rounded / MILLION, options, locale)} million`
}

export function counted(count: number, one: string, many: string, locale?: string): string {
  return `${formatCount(count, locale)} ${count === 1 ? one : many}`
}

/** Seconds as a player shows them: 1:23 or 1:02:03. */
export function formatTimecode(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, "0")
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`
}
