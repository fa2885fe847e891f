import type { Mention, Video } from "../api/types"
import { Quote } from "../components/Quote"
import { isRejected } from "./reviews"

/** The words of a mention with a link to the second they are said at. A video that is gone is not linked to. */
export function MentionQuote({ mention, video }: { mention: Mention; video: Video | null }) {
  return (
    <Quote
      text={mention.context_snippet}
      address={video?.removed_at ? null : mention.quote_url}
      seconds={mention.start_seconds}
      isRejected={isRejected(mention)}
    />
  )
}
