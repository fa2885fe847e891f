/** The track record at a glance, with how it is computed and how certain it is. */

import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { setupQuery } from "../api/queries"
import type { Channel, ChannelStocks } from "../api/types"
import { directionOf } from "../components/Change"
import { Icon } from "../components/Icon"
import { countsOf, sumCounts } from "../record/kinds"
import { confidenceNote, isSmallSample, methodNotes, readingNote } from "../record/notes"
import { isDemo } from "../text/demo"
import { counted, formatChange, formatCount, formatShare } from "../text/numbers"
import { KindLegend } from "./KindLegend"

export function TrackRecord({ channel, data }: { channel: Channel; data: ChannelStocks }) {
  const setup = useQuery(setupQuery()).data
  if (!data.stocks.length) return null
  const { buys, sells, first_buys } = data.summary
  const counts = sumCounts(data.stocks.map(countsOf))
  const small = isSmallSample(buys)
  return (
    <section className="record" aria-label="Track record">
      <dl className="figures">
        <Figure name="Calls" value={formatCount(counts.buy + counts.sell)}>
          <KindLegend counts={counts} />
        </Figure>
        <Figure name="Buy hit rate" value={formatRate(buys)}>
          {buys.priced
            ? `${formatCount(buys.hits)} of ${counted(buys.priced, "buy call is", "buy calls are")} up`
            : "No priced buy calls"}
        </Figure>
        <Figure
          name="Average since first buy"
          value={formatChange(first_buys.mean_change_percent)}
          tone={directionOf(first_buys.mean_change_percent)}
        >
          {first_buys.priced
            ? `${counted(first_buys.priced, "stock", "stocks")}, median ${formatChange(first_buys.median_change_percent)}`
            : "No priced buy calls"}
        </Figure>
        <Figure name="Sell hit rate" value={formatRate(sells)}>
          {sells.priced
            ? `${formatCount(sells.hits)} of ${counted(sells.priced, "sell call is", "sell calls are")} down`
            : "No priced sell calls"}
        </Figure>
      </dl>
      <div className={`method ${small ? "small-sample" : ""}`}>
        <Icon name={small ? "warning" : "info"} />
        <p>
          {small && <strong>Small sample. </strong>}
          {confidenceNote(buys)} {readingNote(setup?.calls_read_right)}{" "}
          <span>{methodNotes(data, { demo: isDemo(channel) }).join(" ")}</span>
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

function formatRate({ hits, priced }: { hits: number; priced: number }): string {
  return formatShare(priced ? hits / priced : null)
}
