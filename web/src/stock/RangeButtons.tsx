import type { Range } from "./chart-data"

interface Props {
  ranges: readonly Range[]
  chosen: Range
  onChoose: (range: Range) => void
}

export function RangeButtons({ ranges, chosen, onChoose }: Props) {
  return (
    <fieldset className="segments small">
      <legend className="visually-hidden">Time range</legend>
      {ranges.map((range) => (
        <label key={range}>
          <input type="radio" name="range" checked={range === chosen} onChange={() => onChoose(range)} />
          <span>{range}</span>
        </label>
      ))}
    </fieldset>
  )
}
