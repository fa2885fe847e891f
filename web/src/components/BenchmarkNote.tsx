/** Names the benchmark and its last day, and explains the demo's. */

import type { Benchmark } from "../api/types"
import { formatDay } from "../text/dates"
import "./BenchmarkNote.css"

interface Props {
  benchmark: Benchmark
  asOf: string | null
  /** Where no banner says so. */
  isDemo?: boolean
}

export function BenchmarkNote({ benchmark, asOf, isDemo }: Props) {
  return (
    <p className="benchmark-note">
      Against the {benchmark.name} {benchmark.with_dividends ? "with" : "without"} dividends
      {asOf && `, until ${formatDay(asOf)}`}.
      {!benchmark.with_dividends &&
        " The stocks’ prices include dividends, which flatters buys by about 1.5% a year and hurts sells."}
      {isDemo && " Demo channels are fictional; their prices are real closes of past years."}
    </p>
  )
}
