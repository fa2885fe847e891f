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

/** A percentage as in the API (12.5 is 12.5 %), always with its sign. */
export function formatChange(percent: number | null, locale?: string): string {
  if (percent === null) return "–"
  const options: Intl.NumberFormatOptions = {
    style: "percent",
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: "exceptZero",
  }
  return format(percent / 100, options, locale)
}

/** A share from 0 to 1. */
export function formatShare(share: number | null, locale?: string): string {
  return share === null ? "–" : format(share, { style: "percent", maximumFractionDigits: 0 }, locale)
}

/** Two shares from 0 to 1 as a range: 75–95%. */
export function formatShareRange([low, high]: readonly [number, number], locale?: string): string {
  return `${format(Math.round(low * 100), {}, locale)}–${formatShare(high, locale)}`
}

export function formatCount(count: number, locale?: string): string {
  return format(count, {}, locale)
}

export function counted(count: number, one: string, many: string, locale?: string): string {
  return `${formatCount(count, locale)} ${count === 1 ? one : many}`
}
