/** Which channels called a stock, with what came of it at the chosen horizon. */

import { Link } from "wouter"
import type { Horizon } from "../api/types"
import { useDefaults } from "../components/defaults"
import { KindShape } from "../components/Kind"
import { Scroller } from "../components/Scroller"
import { Term } from "../components/Term"
import { Unknown } from "../components/Unknown"
import { horizonSearch } from "../domain/horizons"
import { formatDay } from "../text/dates"
import { withoutDemoSuffix } from "../text/demo"
import { formatChange, formatCount } from "../text/numbers"
import type { Caller } from "./callers"

interface Props {
  ticker: string
  callers: readonly Caller[]
  /** The calls that the figures are over. */
  loaded: string
  horizon: Horizon
}

export function CallersTable({ ticker, callers, loaded, horizon }: Props) {
  const { horizon: own } = useDefaults()
  return (
    <Scroller label={`Channels that called ${ticker}`}>
      <table className="grid-table">
        <caption className="visually-hidden">
          {loaded} on {ticker}, by channel
        </caption>
        <thead>
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">Calls</th>
            <th scope="col">Newest</th>
            <th scope="col" className="number">
              <Term of="outcome">Right</Term>
            </th>
            <th scope="col" className="number">
              <Term of="mean_excess">Mean excess</Term>
            </th>
          </tr>
        </thead>
        <tbody>
          {callers.map(({ channel, buys, sells, right, scored, pending, meanExcess, newest }) => (
            <tr key={channel.id}>
              <th scope="row">
                <Link
                  className="touch"
                  dir="auto"
                  href={`/channels/${channel.id}/stocks/${encodeURIComponent(ticker)}${horizonSearch(horizon, own)}`}
                >
                  {withoutDemoSuffix(channel.name)}
                </Link>
              </th>
              <td>
                <span className="legend">
                  <span className="buy">
                    <KindShape kind="buy" />
                    {formatCount(buys)} buy
                  </span>
                  <span className="sell">
                    <KindShape kind="sell" />
                    {formatCount(sells)} sell
                  </span>
                </span>
              </td>
              <td>
                <time dateTime={newest}>{formatDay(newest)}</time>
              </td>
              <td className="number" data-term="outcome">
                {scored ? (
                  `${formatCount(right)} of ${formatCount(scored)}`
                ) : (
                  <Unknown label="Too early to tell" />
                )}
                {pending > 0 && <span className="soft cell-second">{formatCount(pending)} pending</span>}
              </td>
              <td className="number" data-term="mean_excess">
                {meanExcess === null ? <Unknown label="Too early to tell" /> : formatChange(meanExcess)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}
