/** A price in dollars, or in a few words why there is none. */

import type { PriceProblem } from "../api/types"
import { PROBLEM_LABELS } from "../domain/price-problems"
import { formatPrice } from "../text/numbers"
import { Unknown } from "./Unknown"
import "./Price.css"

export function Price({
  price,
  problem,
}: {
  price: number | null
  problem: PriceProblem | null | undefined
}) {
  if (price !== null) return formatPrice(price)
  return problem ? <span className="no-price">{PROBLEM_LABELS[problem]}</span> : <Unknown label="No price" />
}
