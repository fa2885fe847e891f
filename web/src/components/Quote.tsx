/** A verbatim quote, shown as plain text whatever it contains, with a link to the second it is said at. */

import { formatTimecode } from "../text/numbers"
import { ExternalLink } from "./ExternalLink"
import "./Quote.css"

interface Props {
  text: string | null
  /** The video at that second; null where it is not to be linked to. */
  address?: string | null
  /** From the start of the video; null where it is not known. */
  seconds?: number | null
  /** True if a person found that it is about something else. */
  isRejected?: boolean
}

export function Quote({ text, address = null, seconds = null, isRejected }: Props) {
  if (!text) return null
  const quote = isRejected ? (
    <s>
      <Words text={text} />
    </s>
  ) : (
    <Words text={text} />
  )
  if (seconds === null) return quote
  return (
    <span className="quoted">
      {quote} <Timecode address={address} seconds={seconds} />
    </span>
  )
}

function Words({ text }: { text: string }) {
  return (
    <q className="quote" dir="auto">
      {text}
    </q>
  )
}

export function Timecode({ address, seconds }: { address: string | null; seconds: number }) {
  const time = formatTimecode(seconds)
  return (
    <ExternalLink address={address} className="quote-time" label={`Watch at ${time} on YouTube`}>
      {time}
    </ExternalLink>
  )
}
