/** The words of a call with what was said before and after them, and where to watch them. */

import type { CallInContext, Mention } from "../api/types"
import { ExternalLink } from "../components/ExternalLink"
import { Timecode } from "../components/Quote"
import { RemovedNote } from "../components/RemovedNote"
import "./InContext.css"

interface Props {
  mention: Mention
  /** Undefined until it is read. */
  context: CallInContext | undefined
}

export function InContext({ mention, context }: Props) {
  const video = mention.video
  const seconds = mention.start_seconds
  const address = video?.removed_at ? null : (mention.quote_url ?? video?.url ?? null)
  const quote = context?.quote ?? mention.context_snippet
  return (
    <div className="in-context">
      <blockquote dir="auto" aria-busy={!context}>
        {context?.before && <span className="around">{context.before} </span>}
        {quote ? <mark>{quote}</mark> : <span className="soft">The words were not kept.</span>}
        {context?.after && <span className="around">{spaced(context.after)}</span>}
      </blockquote>
      {context && context.before === null && context.after === null && (
        <p className="soft panel-note">
          No transcript of this video is kept, so what was said around it is not known.
        </p>
      )}
      {video && (
        <p className="in-context-source" dir="auto">
          {seconds !== null && <Timecode address={address} seconds={seconds} />}{" "}
          <ExternalLink address={address}>{video.title}</ExternalLink>
        </p>
      )}
      <RemovedNote removedAt={video?.removed_at} />
    </div>
  )
}

/** A quote may end before the mark that ends its sentence. */
function spaced(after: string): string {
  return /^[\s.,;:!?…)]/.test(after) ? after : ` ${after}`
}
