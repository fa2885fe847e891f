/** Who the channel is, how it stands, and what can be done with it. */

import type { Channel } from "../api/types"
import { Avatar } from "../parts/Avatar"
import { useArrival } from "../parts/arrival"
import { DemoBadge, StatusBadge } from "../parts/Badges"
import { ExternalLink } from "../parts/ExternalLink"
import { formatMoment } from "../text/dates"
import { isDemo, withoutDemo } from "../text/demo"
import { counted } from "../text/numbers"
import { ChannelActions } from "./ChannelActions"

export function ChannelHeader({ channel }: { channel: Channel }) {
  const heading = useArrival<HTMLHeadingElement>()
  const demo = isDemo(channel)
  return (
    <header className="channel-header">
      <Avatar channel={channel} large />
      <div className="grow">
        <h1 ref={heading} tabIndex={-1} dir="auto" className="channel-name" title={channel.name}>
          {demo ? withoutDemo(channel.name) : channel.name}
        </h1>
        <div className="facts">
          <StatusBadge status={channel.status} />
          {demo && <DemoBadge />}
          <span>{counted(channel.video_count, "video", "videos")}</span>
          <span>last {counted(channel.time_range_months, "month", "months")}</span>
          <span>
            updated <time dateTime={channel.updated_at}>{formatMoment(channel.updated_at)}</time>
          </span>
          {!demo && <ExternalLink address={absolute(channel.url)}>YouTube</ExternalLink>}
        </div>
      </div>
      <ChannelActions channel={channel} />
    </header>
  )
}

/** The URL as it was typed may lack its scheme. */
function absolute(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`
}
