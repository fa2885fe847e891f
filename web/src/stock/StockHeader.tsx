import { Link } from "wouter"
import type { ChannelStock, Close } from "../api/types"
import { ExternalLink } from "../components/ExternalLink"
import { useHeadingFocus } from "../components/navigation"
import { Price } from "../components/Price"
import { Term } from "../components/Term"
import { WatchButton } from "../components/WatchButton"
import { formatDay, today } from "../text/dates"
import { formatChange } from "../text/numbers"
import "./StockHeader.css"
import "../channel/ChannelHeader.css"

interface Props {
  ticker: string
  stock: ChannelStock | undefined
  lastClose: Close | undefined
  /** True while the last close is still being loaded: its space is reserved. */
  isPending: boolean
}

export function StockHeader({ ticker, stock, lastClose, isPending }: Props) {
  const day = stock?.price_as_of ?? lastClose?.date
  const heading = useHeadingFocus<HTMLHeadingElement>()
  return (
    <header className="stock-header">
      <div className="grow">
        <div className="title-row">
          <h1 ref={heading} tabIndex={-1}>
            {ticker}
            <span className="visually-hidden">: </span>
            <span className="stock-full-name" dir="auto">
              {stock?.name}
            </span>
          </h1>
          <WatchButton what={{ ticker }} name={ticker} />
        </div>
        {stock && (
          <p className="stock-links soft">
            <Link className="touch" href={`/stocks/${encodeURIComponent(ticker)}`}>
              Every channel on {ticker}
            </Link>
            <ExternalLink address={stock.yahoo_finance_url} className="touch">
              Yahoo Finance
            </ExternalLink>
          </p>
        )}
      </div>
      <dl className="prices">
        <div>
          <dt>First mention{stock ? `, ${formatDay(stock.first_mention_date)}` : ""}</dt>
          <dd>
            <Price price={stock?.price_at_first_mention ?? null} problem={stock?.price_problem} />
          </dd>
        </div>
        <div>
          <dt>
            Latest price
            {(day || isPending) && (
              <span className={day ? "" : "reserved"}>, {formatDay(day ?? today())}</span>
            )}
          </dt>
          <dd>
            <Price price={stock?.current_price ?? null} problem={stock?.price_problem} />
          </dd>
        </div>
        <div data-term="change_since_mention">
          <dt>
            <Term of="change_since_mention">Since first mention</Term>
          </dt>
          <dd>{formatChange(stock?.price_change_percent ?? null)}</dd>
        </div>
      </dl>
    </header>
  )
}
