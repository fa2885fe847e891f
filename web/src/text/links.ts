/** Addresses that come from data. */

/** The address if it leads to a web page, else nothing: no `javascript:` and the like ever becomes a link. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined
  return ["http:", "https:"].includes(new URL(address).protocol) ? address : undefined
}
