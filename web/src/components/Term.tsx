/** A figure's name that shows its definition when it is hovered over, focused or tapped. */

import type { ReactNode } from "react"
import type { Term as Name } from "../domain/definitions"
import { definitionId } from "./Definitions"
import "./Definitions.css"

export function Term({ of, children }: { of: Name; children: ReactNode }) {
  return (
    <button type="button" className="link-button term" data-term={of} aria-describedby={definitionId(of)}>
      {children}
    </button>
  )
}
