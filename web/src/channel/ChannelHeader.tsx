/** The channel's name, status and actions. */

import { useState } from "react"
import { isRunning } from "../api/queries"
import type { Channel } from "../api/types"
import { Avatar } from "../components/Avatar"
import { DemoBadge, StatusBadge } from "../components/Badges"
import { ExternalLink } from "../components/ExternalLink"
import { FeedLink } from "../components/FeedLink"
import { useHeadingFocus } from "../components/navigation"
import { WatchButton } from "../components/WatchButton"
import { formatTimestamp } from "../text/dates"
import { isDemo, withoutDemoSuffix } from "../text/demo"
import { counted } from "../text/numbers"
import { ChannelActions } from "./ChannelActions"
import { ChannelChecks } from "./ChannelChecks"
import "./ChannelHeader.css"

export function ChannelHeader({ channel }: { channel: Channel }) {
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const demo = isDemo(channel)
  const name = demo ? withoutDemoSuffix(channel.name) : channel.name
  // On a phone the verdict comes before what few readers do, unless that wants attention.
  const [isManaged, setManaged] = useState(isRunning(channel) || channel.is_slowed)
  return (
    <header className={`channel-header ${isManaged ? "managed" : ""}`}>
      <Avatar channel={channel} large />
      <div className="grow">
        <div className="title-row">
          <h1 ref={heading} tabIndex={-1} dir="auto" className="channel-name" title={channel.name}>
            {name}
          </h1>
          <WatchButton what={{ channelId: channel.id }} name={name} />
        </div>
        <div className="facts">
          <StatusBadge status={channel.status} />
          {demo && <DemoBadge />}
          <span>{counted(channel.video_count, "video", "videos")}</span>
          <span>Last {counted(channel.time_range_months, "month", "months")}</span>
          <span>
            Updated <time dateTime={channel.updated_at}>{formatTimestamp(channel.updated_at)}</time>
          </span>
          {!demo && <ExternalLink address={absolute(channel.url)}>YouTube</ExternalLink>}
          <FeedLink href={`/api/channels/${channel.id}/feed.atom`} title={`Alerts of ${channel.name}`}>
            Feed
          </FeedLink>
          <button
            type="button"
            className="link-button manage touch"
            aria-expanded={isManaged}
            onClick={() => setManaged(!isManaged)}
          >
            Manage
          </button>
        </div>
        <ChannelChecks channel={channel} />
      </div>
      <ChannelActions channel={channel} />
    </header>
  )
}

/** A URL may have been added without its scheme. */
function absolute(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`
}
