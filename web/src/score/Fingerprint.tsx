/** The method and analyst of a score, and the fingerprint of its calls. */

import { Link } from "wouter"
import type { Scorecard } from "../api/types"
import { shortFingerprint } from "./checked-calls"
import "./Fingerprint.css"

export function Fingerprint({ channelId, scorecard }: { channelId: string; scorecard: Scorecard }) {
  const { method, analysts, calls_sha256: sha256 } = scorecard
  return (
    <footer className="fingerprint">
      <p>
        Made with method {method}
        {analysts.length > 0 && `, read by ${analysts.join(" and ")}`}.{" "}
        <Link className="touch" href={`/channels/${channelId}/changes`}>
          Change log
        </Link>
      </p>
      {sha256 && (
        <details>
          <summary>Fingerprint {shortFingerprint(sha256)} (SHA-256 of its calls)</summary>
          <p>
            <code>{sha256}</code>
          </p>
          <p>It is another one as soon as any of the calls is changed, added or taken out.</p>
        </details>
      )}
    </footer>
  )
}
