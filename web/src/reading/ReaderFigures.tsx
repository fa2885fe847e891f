/** The figures of each measured reader side by side, with the speech they were counted on. */

import type { ReaderFigures as Figures } from "../api/types"
import { Scroller } from "../components/Scroller"
import { describeCounts, formatMeasuredAt, readerLabel } from "./reader-figures"
import "./ReaderFigures.css"

export function ReaderFigures({ figures }: { figures: readonly Figures[] }) {
  if (!figures.length) return null
  return (
    <Scroller label="How well each reader reads">
      <table className="grid-table reader-figures">
        <caption>Buys and sells on real speech</caption>
        <thead>
          <tr>
            <th scope="col">Reader</th>
            <th scope="col">Right, of those it reports</th>
            <th scope="col">Found, of those made</th>
          </tr>
        </thead>
        <tbody>
          {figures.map((each) => (
            <Row key={each.reader} figures={each} />
          ))}
        </tbody>
      </table>
    </Scroller>
  )
}

function Row({ figures }: { figures: Figures }) {
  const { reader, right, reported, right_on, found, made, found_on, measured_at, note } = figures
  return (
    <tr>
      <th scope="row">
        {readerLabel(reader)}
        <span className="cell-second soft">
          {formatMeasuredAt(measured_at)}
          {note && `. ${note}`}
        </span>
      </th>
      <td>
        {describeCounts(right, reported)}
        <span className="cell-second soft">{right_on}</span>
      </td>
      <td>
        {describeCounts(found, made)}
        <span className="cell-second soft">{found_on}</span>
      </td>
    </tr>
  )
}
