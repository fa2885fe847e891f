/** All channels, newest first; before them those that the reader watches. */

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useSearchParams } from "wouter"
import { watchlistQuery } from "../api/alert-queries"
import { useLoadError } from "../api/load-error"
import { allChannelsQuery, CHANNELS_PER_PAGE, channelsQuery } from "../api/queries"
import { AddChannelDialog } from "../channel/AddChannelDialog"
import { ChannelCard } from "../channel/ChannelCard"
import { NoChannels } from "../channel/NoChannels"
import { Icon } from "../components/Icon"
import { NeedsRole } from "../components/NeedsRole"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { Pager } from "../components/Pager"
import { CardsSkeleton } from "../components/Skeletons"
import { EmptyState, ErrorState, StaleBanner } from "../components/States"
import { lacksWatched, watchedFirst } from "../domain/channels"
import { isWatched } from "../domain/watchlist"
import { ExportButton } from "../exports/ExportButton"
import "../channel/ChannelCard.css"

export default function ChannelsPage() {
  useTitle("Channels")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const [search] = useSearchParams()
  const page = Math.max(1, Number.parseInt(search.get("page") ?? "1", 10) || 1)
  const channels = useQuery({ ...channelsQuery(page), placeholderData: keepPreviousData })
  const loadError = useLoadError(channels)
  const { data } = channels
  const [adding, setAdding] = useState(false)
  const list = useQuery(watchlistQuery())
  // Known, or known to be out of reach: the cards then stay where they are.
  const isListSettled = list.data !== undefined || list.failureCount > 0
  const isFirst = page === 1
  const lacks = isFirst && data !== undefined && lacksWatched(data.items, list.data)
  const every = useQuery({ ...allChannelsQuery(), enabled: lacks })
  const isSettled = isListSettled && !(lacks && every.isPending && every.failureCount === 0)
  const shown = isSettled && data
  const items = data && isFirst ? watchedFirst(data.items, every.data ?? [], list.data) : (data?.items ?? [])

  return (
    <div className="wide page">
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Channels
          </h1>
          <p className="soft">Every stock call, with its price then and now.</p>
        </div>
        <div className="page-actions">
          {data && data.total > 0 && <ExportButton />}
          <NeedsRole needed="editor">
            <button type="button" className="button primary" onClick={() => setAdding(true)}>
              <Icon name="add" />
              Add a channel
            </button>
          </NeedsRole>
        </div>
      </div>
      {loadError && (
        <ErrorState
          title="Couldn’t load the channels"
          error={loadError}
          retry={channels.refetch}
          busy={channels.isFetching}
        />
      )}
      {!shown && !loadError && <CardsSkeleton />}
      {data && <StaleBanner error={channels.error} />}
      {data?.total === 0 && <NoChannels />}
      {data && data.total > 0 && data.items.length === 0 && <EmptyState title="No channels on this page" />}
      {shown && items.length > 0 && (
        <ul className="cards">
          {items.map((channel) => (
            <ChannelCard
              key={channel.id}
              channel={channel}
              isWatched={isWatched(list.data, { channelId: channel.id })}
            />
          ))}
        </ul>
      )}
      {data && <Pager page={page} perPage={CHANNELS_PER_PAGE} total={data.total} />}
      {adding && <AddChannelDialog onClose={() => setAdding(false)} />}
    </div>
  )
}
