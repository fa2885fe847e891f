import { Link } from "wouter"
import { isRunning } from "../api/queries"
import type { Channel } from "../api/types"
import { Avatar } from "../components/Avatar"
import { DemoBadge, StatusBadge } from "../components/Badges"
import { ProgressBar } from "../components/ProgressBar"
import { WatchedMark } from "../components/WatchedMark"
import { formatDay } from "../text/dates"
import { isDemo, withoutDemoSuffix } from "../text/demo"
import { counted } from "../text/numbers"
import "./ChannelCard.css"

interface Props {
  channel: Channel
  isWatched?: boolean
}

export function ChannelCard({ channel, isWatched = false }: Props) {
  const demo = isDemo(channel)
  return (
    <li className="card channel-card">
      <div className="card-head">
        <Avatar channel={channel} />
        <h2 className="card-name" dir="auto">
          <Link href={`/channels/${channel.id}`} title={channel.name}>
            {demo ? withoutDemoSuffix(channel.name) : channel.name}
          </Link>
        </h2>
        {isWatched && <WatchedMark />}
      </div>
      <div className="badges">
        <StatusBadge status={channel.status} />
        {demo && <DemoBadge />}
      </div>
      {isRunning(channel) ? (
        <ProgressBar channel={channel} />
      ) : (
        <p className="card-facts">
          <span>{counted(channel.video_count, "video", "videos")}</span>
          <span>Last {counted(channel.time_range_months, "month", "months")}</span>
          <span>
            Added <time dateTime={channel.created_at}>{formatDay(channel.created_at.slice(0, 10))}</time>
          </span>
        </p>
      )}
    </li>
  )
}
