import type { ChannelStock, Close } from "../api/types"
import { Change, Unknown } from "../components/Change"
import { ExternalLink } from "../components/ExternalLink"
import { useHeadingFocus } from "../components/navigation"
import { formatDay, today } from "../text/dates"
import { formatPrice } from "../text/numbers"

interface Props {
  ticker: string
  stock: ChannelStock | undefined
  lastClose: Close | undefined
  /** Whether the last close is still being loaded: its space is reserved. */
  isPending: boolean
}

export function StockHeader({ ticker, stock, lastClose, isPending }: Props) {
  const heading = useHeadingFocus<HTMLHeadingElement>()
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
          <ExternalLink address={stock.yahoo_finance_url} className="soft touch">
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
            Latest price
            {(lastClose || isPending) && (
              <span className={lastClose ? "" : "reserved"}>, {formatDay(lastClose?.date ?? today())}</span>
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
  return value ? formatPrice(value) : <Unknown label="No price" />
}
