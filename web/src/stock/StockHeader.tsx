import type { ChannelStock, Close } from "../api/types"
import { useArrival } from "../parts/arrival"
import { Change, Unknown } from "../parts/Change"
import { ExternalLink } from "../parts/ExternalLink"
import { formatDay, today } from "../text/dates"
import { formatPrice } from "../text/numbers"

interface Props {
  ticker: string
  stock: ChannelStock | undefined
  lastClose: Close | undefined
  /** The last close is on its way: its place is kept free. */
  isPending: boolean
}

export function StockHeader({ ticker, stock, lastClose, isPending }: Props) {
  const heading = useArrival<HTMLHeadingElement>()
  return (
    <header className="stock-header">
      <div className="grow">
        <h1 ref={heading} tabIndex={-1}>
          {ticker}
          <span className="visually-hidden">: </span>
          <span className="stock-full-name" dir="auto">
            {stock?.name}
          </span>
        </h1>
        {stock && (
          <ExternalLink address={stock.yahoo_finance_url} className="soft">
            Yahoo Finance
          </ExternalLink>
        )}
      </div>
      <dl className="prices">
        <div>
          <dt>First mention{stock ? `, ${formatDay(stock.first_mention_date)}` : ""}</dt>
          <dd>{price(stock?.price_at_first_mention)}</dd>
        </div>
        <div>
          <dt>
            Newest
            {(lastClose || isPending) && (
              <span className={lastClose ? "" : "not-yet"}>, {formatDay(lastClose?.date ?? today())}</span>
            )}
          </dt>
          <dd>{price(stock?.current_price)}</dd>
        </div>
        <div>
          <dt>Change</dt>
          <dd>
            <Change percent={stock?.price_change_percent ?? null} />
          </dd>
        </div>
      </dl>
    </header>
  )
}

function price(value: number | null | undefined) {
  return value ? formatPrice(value) : <Unknown what="Price unknown" />
}
