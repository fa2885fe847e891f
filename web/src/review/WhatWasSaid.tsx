/** Why a mention is a call or none, and what else the speaker said of the stock. */

import type { OwnTarget, Statement } from "../api/types"
import { Quote } from "../components/Quote"
import { describeManner, describeOwnTerms, heardAs } from "../domain/statements"
import { atSecond } from "../text/links"
import "./WhatWasSaid.css"

interface Props {
  said: { explanation: string | null; statement: Statement | null; own_target?: OwnTarget | null }
  /** The URL of the video; null where it is not to be linked to. */
  address: string | null
}

export function WhatWasSaid({ said: { explanation, statement, own_target }, address }: Props) {
  if (!explanation && !statement) return null
  return (
    <div className="what-was-said">
      {explanation && <p dir="auto">{explanation}</p>}
      {statement && <Facts statement={statement} ownTarget={own_target ?? null} address={address} />}
    </div>
  )
}

interface FactsProps {
  statement: Statement
  ownTarget: OwnTarget | null
  address: string | null
}

function Facts({ statement, ownTarget, address }: FactsProps) {
  const { second_quote: second, second_quote_seconds: seconds, sponsored, listed } = statement
  const terms = describeOwnTerms(statement, ownTarget)
  const heard = heardAs(statement)
  const facts = [
    ...describeManner(statement),
    ...(heard ? [`Heard as “${heard}”`] : []),
    ...(terms ? [terms] : []),
    ...(listed ? [] : ["On no list of US shares, so it has no price"]),
  ]
  return (
    <>
      {(sponsored || facts.length > 0) && (
        <p className="said-facts">
          {sponsored && <span className="badge">Sponsored</span>}
          {facts.map((fact) => (
            <span key={fact} dir="auto">
              {fact}
            </span>
          ))}
        </p>
      )}
      {second && (
        <p>
          Also:{" "}
          <Quote
            text={second}
            address={address && seconds !== null ? atSecond(address, seconds) : null}
            seconds={seconds}
          />
        </p>
      )}
    </>
  )
}
