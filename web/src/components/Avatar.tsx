/** A channel's picture, or its initials. */

import { useState } from "react"
import { withoutDemoSuffix } from "../text/demo"
import { webAddress } from "../text/links"
import "./Avatar.css"

interface Props {
  channel: { id: string; name: string; thumbnail_url: string | null }
  large?: boolean
}

export function Avatar({ channel, large }: Props) {
  const [broken, setBroken] = useState(false)
  const address = webAddress(channel.thumbnail_url)
  const className = `avatar ${large ? "large" : ""}`
  if (address && !broken) {
    return (
      <img
        className={className}
        src={address}
        alt=""
        loading="lazy"
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    )
  }
  return (
    <span className={`${className} tone-${toneOf(channel.name)}`} aria-hidden="true">
      {initials(channel.name)}
    </span>
  )
}

function initials(name: string): string {
  const words = withoutDemoSuffix(name).match(/[\p{L}\p{N}]+/gu) ?? []
  const long = words.filter((word) => !["the", "a"].includes(word.toLowerCase()))
  return (long.length ? long : words)
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? "")
    .join("")
}

/** One of six tones, always the same for the same name. */
function toneOf(name: string): number {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % 6
}
