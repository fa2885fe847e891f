/** A large figure under its name, with a note. The name and the number both show the definition. */

import type { ReactNode } from "react"
import { Term } from "../components/Term"
import type { Tone } from "../domain/calls"
import type { Term as Name } from "../domain/definitions"
import "./Figure.css"

interface Props {
  term: Name
  name: string
  value: string
  tone?: Tone
  children?: ReactNode
}

export function Figure({ term, name, value, tone = "flat", children }: Props) {
  return (
    <div className="figure" data-term={term}>
      <dt>
        <Term of={term}>{name}</Term>
      </dt>
      <dd>
        <span className={`figure-value ${tone}`}>{value}</span>
        <span className="figure-note">{children}</span>
      </dd>
    </div>
  )
}
