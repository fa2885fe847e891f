/** The track record at a glance, with how it was made and how sure it is. */

import type { UseQueryResult } from "@tanstack/react-query"
import { type ReactNode, useMemo } from "react"
import type { Channel, ChannelStock, TimelineEntry } from "../api/types"
import { directionOf } from "../parts/Change"
import { Icon } from "../parts/Icon"
import { RecordSkeleton } from "../parts/Skeletons"
import { howItWasMade, howSureItIs } from "../record/explanation"
import { type Outcome, summarise } from "../record/summary"
import { isDemo } from "../text/demo"
import { counted, formatChange, formatCount, formatShare } from "../text/numbers"
import { CallsLegend } from "./CallsLegend"

interface Props {
  channel: Channel
  stocks: UseQueryResult<ChannelStock[]>
  timeline: UseQueryResult<TimelineEntry[]>
  asOf: string | null
}

export function TrackRecord({ channel, stocks, timeline, asOf }: Props) {
  const demo = isDemo(channel)
  const summary = useMemo(
    () => stocks.data && timeline.data && summarise(stocks.data, timeline.data),
    [stocks.data, timeline.data],
  )
  if (stocks.error || timeline.error) return null
  if (!summary) return <RecordSkeleton />
  if (!stocks.data?.length) return null
  const { buysUp, sellsDown, sinceFirstBuy } = summary
  return (
    <section className="record" aria-label="Track record at a glance">
      <dl className="figures">
        <Figure name="Calls" value={formatCount(summary.calls)}>
          <CallsLegend counts={summary.counts} />
        </Figure>
        <Figure name="Buys that are up since" value={formatShare(buysUp.share)}>
          {ofOutcome(buysUp, "buy-call", "up")}
        </Figure>
        <Figure
          name="Average since first buy"
          value={formatChange(sinceFirstBuy.mean)}
          tone={directionOf(sinceFirstBuy.mean)}
        >
          {sinceFirstBuy.priced
            ? `${counted(sinceFirstBuy.priced, "stock", "stocks")}, the middle one ${formatChange(sinceFirstBuy.median)}`
            : "No priced buy-call yet"}
        </Figure>
        <Figure name="Sells that are down since" value={formatShare(sellsDown.share)}>
          {ofOutcome(sellsDown, "sell-call", "down")}
        </Figure>
      </dl>
      <div className={`how ${summary.few ? "few" : ""}`}>
        <Icon name={summary.few ? "warning" : "info"} />
        <p>
          {summary.few && <strong>Few calls. </strong>}
          {howSureItIs(summary)} <span>{howItWasMade(summary, { demo, asOf }).join(" ")}</span>
        </p>
      </div>
    </section>
  )
}

interface FigureProps {
  name: string
  value: string
  tone?: "up" | "down" | "flat"
  children: ReactNode
}

function Figure({ name, value, tone = "flat", children }: FigureProps) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>
        <span className={`figure-value ${tone}`}>{value}</span>
        <span className="figure-note">{children}</span>
      </dd>
    </div>
  )
}

function ofOutcome({ priced, right }: Outcome, call: string, direction: string): string {
  if (!priced) return `No priced ${call} yet`
  return `${formatCount(right)} of ${counted(priced, `priced ${call}`, `priced ${call}s`)} ${direction}`
}
