/** The newest alerts. The filter is part of the URL. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { alertsQuery } from "../api/alert-queries"
import { useLoadError } from "../api/load-error"
import { CopyButton } from "../components/CopyButton"
import { FeedLink } from "../components/FeedLink"
import { LoadMore } from "../components/LoadMore"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState, StaleBanner } from "../components/States"
import { useUrlState } from "../components/url-state"
import { counted } from "../text/numbers"
import { AlertRow } from "./AlertRow"
import { ALERT_FILTER_LABELS, ALERT_KINDS } from "./alerts"
import "./AlertList.css"
import "./AlertRow.css"

const FEED = "/api/feed.atom"

export function AlertList() {
  const [search, change] = useUrlState()
  const kind = ALERT_KINDS.find((each) => each === search.get("kind")) ?? null
  const alerts = useInfiniteQuery(alertsQuery(kind))
  const loadError = useLoadError(alerts)
  const items = alerts.data?.pages.flatMap((page) => page.items)
  return (
    <section aria-label="Alerts">
      <div className="alert-head">
        <search className="filters">
          <fieldset className="segments small">
            <legend className="visually-hidden">Show this kind of alert</legend>
            {[null, ...ALERT_KINDS].map((each) => (
              <label key={each ?? "all"}>
                <input
                  type="radio"
                  name="kind"
                  checked={kind === each}
                  onChange={() => change({ kind: each })}
                />
                <span>{each ? ALERT_FILTER_LABELS[each] : "All"}</span>
              </label>
            ))}
          </fieldset>
        </search>
        <div className="feed">
          <FeedLink href={FEED} title="Alerts of all channels">
            Feed for any reader
          </FeedLink>
          <CopyButton text={new URL(FEED, window.location.href).href} label="Copy the address of the feed" />
        </div>
      </div>
      {loadError && <ErrorState title="Couldn’t load the alerts" error={loadError} retry={alerts.refetch} />}
      {!items && !loadError && <RowsSkeleton />}
      {items && <StaleBanner error={alerts.error} />}
      <p className="visually-hidden" role="status">
        {items && `${counted(items.length, "alert", "alerts")} shown`}
      </p>
      {items?.length === 0 && !alerts.hasNextPage && (
        <EmptyState title={kind ? "No such alerts" : "Nothing has happened yet"}>
          <p className="soft">
            New calls, reversals, verdicts that change and watched calls that mature are listed here.
          </p>
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ol className="alert-list" aria-label="Alerts, newest first">
          {items.map((alert) => (
            <AlertRow key={alert.id} alert={alert} />
          ))}
        </ol>
      )}
      <LoadMore query={alerts} label="Load older alerts" />
    </section>
  )
}
