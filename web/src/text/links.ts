/** The address if it is http or https: `javascript:` and the like never become a link. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined
  return ["http:", "https:"].includes(new URL(address).protocol) ? address : undefined
}

/** The address of a video at another second. */
export function atSecond(address: string, seconds: number): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  url.searchParams.set("t", `${seconds}s`)
  return url.href
}
