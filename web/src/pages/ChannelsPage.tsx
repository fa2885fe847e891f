/** All channels, newest first. */

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useSearchParams } from "wouter"
import { CHANNELS_PER_PAGE, channelsQuery } from "../api/queries"
import { AddChannelDialog } from "../channel/AddChannelDialog"
import { ChannelCard } from "../channel/ChannelCard"
import { NoChannels } from "../channel/NoChannels"
import { useArrival, useTitle } from "../parts/arrival"
import { Icon } from "../parts/Icon"
import { Pager } from "../parts/Pager"
import { CardsSkeleton } from "../parts/Skeletons"
import { Empty, Failed } from "../parts/States"

export function ChannelsPage() {
  useTitle("Channels")
  const heading = useArrival<HTMLHeadingElement>()
  const [search] = useSearchParams()
  const page = Math.max(1, Number.parseInt(search.get("page") ?? "1", 10) || 1)
  const { data, error, isPending, isFetching, refetch } = useQuery({
    ...channelsQuery(page),
    placeholderData: keepPreviousData,
  })
  const [adding, setAdding] = useState(false)

  return (
    <div className="wide page">
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Channels
          </h1>
          <p className="soft">Every stock they called, priced on its day and today.</p>
        </div>
        <button type="button" className="button primary" onClick={() => setAdding(true)}>
          <Icon name="add" />
          Add a channel
        </button>
      </div>
      {isPending && <CardsSkeleton />}
      {error && !data && (
        <Failed what="The channels could not be loaded" problem={error} retry={refetch} busy={isFetching} />
      )}
      {data?.total === 0 && <NoChannels />}
      {data && data.total > 0 && data.items.length === 0 && (
        <Empty title="This page is past the last channel" />
      )}
      {data && data.items.length > 0 && (
        <ul className="cards">
          {data.items.map((channel) => (
            <ChannelCard key={channel.id} channel={channel} />
          ))}
        </ul>
      )}
      {data && <Pager page={page} perPage={CHANNELS_PER_PAGE} total={data.total} />}
      {adding && <AddChannelDialog onClose={() => setAdding(false)} />}
    </div>
  )
}
