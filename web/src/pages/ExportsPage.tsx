/** A person's exports, newest first, with how far each is. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { needsToken } from "../api/errors"
import { exportsQuery } from "../api/export-queries"
import { useLoadError } from "../api/load-error"
import { allChannelsQuery } from "../api/queries"
import { LoadMore } from "../components/LoadMore"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { notify } from "../components/notices"
import { RowsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState, StaleBanner } from "../components/States"
import { TokenNeeded } from "../components/TokenNeeded"
import { namesOf } from "../domain/channels"
import { ExportButton } from "../exports/ExportButton"
import { ExportRow } from "../exports/ExportRow"
import { isOpen } from "../exports/exports"
import { counted } from "../text/numbers"
import "../exports/ExportRow.css"

export default function ExportsPage() {
  useTitle("Exports")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const exports = useInfiniteQuery(exportsQuery())
  const loadError = useLoadError(exports)
  const items = exports.data?.pages.flatMap((page) => page.items)
  const hasNames = items?.some(({ channel_ids }) => channel_ids.length > 0) ?? false
  const channels = useQuery({ ...allChannelsQuery(), enabled: hasNames })
  const names = namesOf(channels.data)
  const open = items?.filter(isOpen).length ?? 0
  return (
    <div className="wide page list-page">
      <div className="page-head">
        <div className="grow">
          <h1 ref={heading} tabIndex={-1}>
            Exports
          </h1>
          <p className="soft">
            The whole record as tables in a zip, to keep, to analyse, or to check the scores yourself. Each is
            kept for 30 days.
          </p>
        </div>
        <ExportButton label="New export" isPrimary />
      </div>
      {needsToken(loadError) && <TokenNeeded title="Your exports need the access token" query={exports} />}
      {loadError && !needsToken(loadError) && (
        <ErrorState title="Couldn’t load your exports" error={loadError} retry={exports.refetch} />
      )}
      {!items && !loadError && <RowsSkeleton count={4} />}
      {items && <StaleBanner error={exports.error} />}
      <p className="visually-hidden" role="status">
        {open > 0 && `${counted(open, "export is", "exports are")} being written`}
        {items && items.length > 0 && open === 0 && "All exports are written"}
      </p>
      {items?.length === 0 && !exports.hasNextPage && (
        <EmptyState title="No exports yet">
          <p className="soft">
            Start one here, or from a channel. You can leave the page while it is written.
          </p>
        </EmptyState>
      )}
      {items && items.length > 0 && (
        <ol className="export-list" aria-label="Exports, newest first">
          {items.map((item) => (
            <ExportRow
              key={item.id}
              item={item}
              names={names}
              onDeleted={() => {
                heading.current?.focus()
                notify("Export deleted")
              }}
            />
          ))}
        </ol>
      )}
      <LoadMore query={exports} label="Load older exports" />
    </div>
  )
}
