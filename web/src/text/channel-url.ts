/** Which YouTube channel a URL names, checked while it is typed. The API checks again, by the same rules. */

const HOSTS = new Set(["youtube.com", "www.youtube.com", "m.youtube.com"])
const KINDS = new Set(["channel", "c", "user"])
const NAME = /^[\p{L}\p{N}_.\-·]{1,100}$/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNPRINTABLE = /[\s\u0000-\u001f\u007f\\]/

export const LONGEST_URL = 2048

export type Checked =
  | { state: "empty" }
  | { state: "unfinished"; sentence: string }
  | { state: "wrong"; sentence: string }
  | { state: "right"; url: string; name: string }

const UNFINISHED = "Go on: youtube.com/@name, /channel/…, /c/… or /user/…"
const BEGINNINGS = ["https://", "http://", ""].flatMap((scheme) =>
  [...HOSTS].flatMap((host) => ["@", "channel/", "c/", "user/"].map((path) => `${scheme}${host}/${path}`)),
)

export function checkChannelUrl(typed: string): Checked {
  const text = typed.trim()
  if (!text) return { state: "empty" }
  if (BEGINNINGS.some((beginning) => beginning.startsWith(text.toLowerCase())) || text === "@") {
    return { state: "unfinished", sentence: UNFINISHED }
  }
  // A handle alone is what people copy from a channel's page.
  const url = text.startsWith("@") ? `https://www.youtube.com/${text}` : text
  if (url.length > LONGEST_URL) return wrong("This URL is too long")
  if (UNPRINTABLE.test(url)) return wrong("A URL holds no spaces, backslashes or control characters")

  const [, scheme, authority = "", path = ""] = /^(?:([^:/?#]+):\/\/)?([^/?#]*)\/?([^?#]*)/.exec(url) ?? []
  if ((scheme && !/^https?$/i.test(scheme)) || !HOSTS.has(hostOf(authority))) {
    return wrong("This is not a page on youtube.com")
  }
  const [first = "", second = ""] = path.split("/")
  const handle = /^(?:@|%40)(.*)$/s.exec(first)?.[1]
  if (handle === undefined && !KINDS.has(first.toLowerCase())) {
    return wrong("This is no channel’s page: give youtube.com/@name, /channel/…, /c/… or /user/…")
  }
  const name = decoded(handle ?? second)
  return NAME.test(name) ? { state: "right", url, name } : wrong("This URL names no channel")
}

function hostOf(authority: string): string {
  return authority.toLowerCase().replace(/:(80|443)?$/, "")
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).normalize("NFC")
  } catch {
    return ""
  }
}

function wrong(sentence: string): Checked {
  return { state: "wrong", sentence }
}
