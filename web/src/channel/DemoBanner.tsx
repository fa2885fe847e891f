import { Icon } from "../parts/Icon"
import { formatDay } from "../text/dates"

/** `asOf` is the day of the newest price, once it is known. */
export function DemoBanner({ asOf }: { asOf: string | null }) {
  return (
    <p className="banner">
      <Icon name="info" />
      <span>
        Demo data: the channel and every word it says are made up. The prices are real
        {asOf ? ` and end on ${formatDay(asOf)}` : ""}.
      </span>
    </p>
  )
}
