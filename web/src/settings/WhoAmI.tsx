import type { Me } from "../api/types"
import { describeRole } from "../domain/roles"
import { describeMe } from "../domain/settings"
import { formatDay } from "../text/dates"
import "./settings.css"

/** Whose settings, notes, watchlist and exports these are. */
export function WhoAmI({ me }: { me: Me | undefined }) {
  const { name, why } = me ? describeMe(me) : { name: "", why: "" }
  return (
    <section className="card panel settings who" aria-label="Who you are" aria-busy={!me}>
      <h2 className="section-title">Who you are</h2>
      <p className="who-name">
        <bdi className="strong">{name || "…"}</bdi>
        {me && (
          <span className="soft">
            since <time dateTime={me.first_seen_at}>{formatDay(me.first_seen_at.slice(0, 10))}</time>
          </span>
        )}
      </p>
      {me && (
        <p>
          Role: <strong>{me.role}</strong>. {describeRole(me.role)}
        </p>
      )}
      <p className="soft">{why} Settings, notes, watchlist and exports are kept under this name.</p>
    </section>
  )
}
