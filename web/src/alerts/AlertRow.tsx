/** Something that happened: calls in a video, a verdict that changed, or calls that matured. */

import { Link } from "wouter"
import type { Alert, CallTold, MaturedTold } from "../api/types"
import { KindChip } from "../components/Kind"
import { Quote } from "../components/Quote"
import { formatTimestamp } from "../text/dates"
import { withoutDemoSuffix } from "../text/demo"
import {
  alertTitle,
  describeMatured,
  describeReversal,
  describeVerdictChange,
  detailsOf,
  secondIn,
} from "./alerts"
import "./AlertRow.css"

export function AlertRow({ alert }: { alert: Alert }) {
  const typed = detailsOf(alert)
  return (
    <li className="alert-row">
      <div className="alert-side soft">
        <time dateTime={alert.occurred_at}>{formatTimestamp(alert.occurred_at)}</time>
        <span className={`badge alert-${alert.kind}`}>{alertTitle(alert)}</span>
      </div>
      <div className="alert-main">
        <h2 className="entry-title">
          <Link href={`/channels/${alert.channel_id}`} dir="auto">
            {withoutDemoSuffix(alert.channel_name)}
          </Link>
        </h2>
        {alert.video_title && (
          <p className="soft alert-video" dir="auto">
            {alert.video_title}
          </p>
        )}
        <ul className="alert-details">
          {typed.kind === "calls" &&
            typed.details.map((call) => (
              <CallLine key={call.ticker} channelId={alert.channel_id} call={call} />
            ))}
          {typed.kind === "verdict" &&
            typed.details.map((detail) => <li key={detail.horizon}>{describeVerdictChange(detail)}</li>)}
          {typed.kind === "matured" &&
            typed.details.map((call) => (
              <MaturedLine
                key={`${call.ticker} ${call.horizon} ${call.video_id}`}
                channelId={alert.channel_id}
                call={call}
              />
            ))}
        </ul>
      </div>
    </li>
  )
}

function CallLine({ channelId, call }: { channelId: string; call: CallTold }) {
  return (
    <li>
      <span className="alert-call">
        <KindChip kind={call.sentiment} />
        <Ticker channelId={channelId} ticker={call.ticker} />
        {call.is_reversal && <span className="badge reversal">{describeReversal(call)}</span>}
      </span>
      <Quote text={call.quote} address={call.quote_url} seconds={secondIn(call.quote_url)} />
    </li>
  )
}

function MaturedLine({ channelId, call }: { channelId: string; call: MaturedTold }) {
  return (
    <li>
      <span className="alert-call">
        <KindChip kind={call.sentiment} />
        <Ticker channelId={channelId} ticker={call.ticker} />
        <span>{describeMatured(call)}</span>
      </span>
    </li>
  )
}

function Ticker({ channelId, ticker }: { channelId: string; ticker: string }) {
  return (
    <Link className="ticker touch" href={`/channels/${channelId}/stocks/${encodeURIComponent(ticker)}`}>
      {ticker}
    </Link>
  )
}
