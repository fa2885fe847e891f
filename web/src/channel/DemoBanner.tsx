import { Icon } from "../components/Icon"
import { formatDay } from "../text/dates"
import "../components/States.css"

/** `pricesAsOf` is the day of the demo's last prices, where it is known. */
export function DemoBanner({ pricesAsOf }: { pricesAsOf: string | null }) {
  return (
    <p className="banner">
      <Icon name="info" />
      <span>
        Demo data: the channel and its videos are fictional. Prices are real, adjusted for splits and
        dividends{pricesAsOf ? `, and end on ${formatDay(pricesAsOf)}.` : "."} The S&P 500 it is compared with
        is without dividends.
      </span>
    </p>
  )
}
