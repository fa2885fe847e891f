/** Which YouTube channel a URL points to, checked as it is typed. The API applies the same rules again. */

const HOSTS = new Set(["youtube.com", "www.youtube.com", "m.youtube.com"])
const KINDS = new Set(["channel", "c", "user"])
const NAME = /^[\p{L}\p{N}_.\-·]{1,100}$/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it rejects.
const UNPRINTABLE = /[\s\u0000-\u001f\u007f\\]/

export const MAX_URL_LENGTH = 2048

export type CheckedUrl =
  | { state: "empty" }
  | { state: "incomplete"; hint: string }
  | { state: "invalid"; hint: string }
  | { state: "valid"; url: string; name: string }

const EXAMPLE = "youtube.com/@name"
const NOT_A_CHANNEL = `That isn’t a channel link. Try ${EXAMPLE}.`
const PREFIXES = ["https://", "http://", ""].flatMap((scheme) =>
  [...HOSTS].flatMap((host) => ["@", "channel/", "c/", "user/"].map((path) => `${scheme}${host}/${path}`)),
)

export function checkChannelUrl(typed: string): CheckedUrl {
  const text = typed.trim()
  if (!text) return { state: "empty" }
  if (PREFIXES.some((prefix) => prefix.startsWith(text.toLowerCase())) || text === "@") {
    return { state: "incomplete", hint: "Keep typing…" }
  }
  // A handle on its own is what people copy from a channel's page.
  const url = text.startsWith("@") ? `https://www.youtube.com/${text}` : text
  if (url.length > MAX_URL_LENGTH) return invalid("That link is too long.")
  if (UNPRINTABLE.test(url)) return invalid("Links can’t contain spaces or backslashes.")

  const [, scheme, authority = "", path = ""] = /^(?:([^:/?#]+):\/\/)?([^/?#]*)\/?([^?#]*)/.exec(url) ?? []
  if ((scheme && !/^https?$/i.test(scheme)) || !HOSTS.has(hostOf(authority))) {
    return invalid(`That isn’t a YouTube link. Try ${EXAMPLE}.`)
  }
  const [first = "", second = ""] = path.split("/")
  const handle = /^(?:@|%40)(.*)$/s.exec(first)?.[1]
  if (handle === undefined && !KINDS.has(first.toLowerCase())) return invalid(NOT_A_CHANNEL)
  const name = decode(handle ?? second)
  return NAME.test(name) ? { state: "valid", url, name } : invalid(NOT_A_CHANNEL)
}

function hostOf(authority: string): string {
  return authority.toLowerCase().replace(/:(80|443)?$/, "")
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text).normalize("NFC")
  } catch {
    return ""
  }
}

function invalid(hint: string): CheckedUrl {
  return { state: "invalid", hint }
}
