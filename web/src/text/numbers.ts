/** Numbers as the reader's locale writes them. */

const formats = new Map<string, Intl.NumberFormat>()

function format(value: number, options: Intl.NumberFormatOptions, locale?: string): string {
  const key = `${locale} ${JSON.stringify(options)}`
  let known = formats.get(key)
  if (!known) {
    known = new Intl.NumberFormat(locale, options)
    formats.set(key, known)
  }
  return known.format(value)
}

/** Prices are those of US exchanges. */
export function formatPrice(price: number | null, locale?: string): string {
  if (price === null) return "–"
  return format(price, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" }, locale)
}

/** A percentage as the API gives it (12.5 is 12.5 %), always with its sign. */
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

export function formatCount(count: number, locale?: string): string {
  return format(count, {}, locale)
}

export function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
