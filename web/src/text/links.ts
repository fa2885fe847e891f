/** The address if it is http or https: `javascript:` and the like never become a link. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined
  return ["http:", "https:"].includes(new URL(address).protocol) ? address : undefined
}

/** The second at which a link to a video begins (`…&t=83s`); null where it names none. */
export function secondsIn(address: string | null): number | null {
  if (!address || !URL.canParse(address)) return null
  const seconds = /^(\d+)s?$/.exec(new URL(address).searchParams.get("t") ?? "")?.[1]
  return seconds === undefined ? null : Number(seconds)
}
