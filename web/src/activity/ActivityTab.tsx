import { RunList } from "./RunList"

/** A channel's runs. */
export default function ActivityTab({ channelId, running }: { channelId: string; running: boolean }) {
  return (
    <section aria-label="Activity">
      <RunList channelId={channelId} running={running} />
    </section>
  )
}
