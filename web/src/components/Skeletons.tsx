/** Placeholders the size of what is being loaded, so the layout does not shift. */

import "./Skeletons.css"
import "../channel/ChannelCard.css"
import "../channel/ChannelHeader.css"
import "./Avatar.css"

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

export function PageSkeleton() {
  return (
    <div className="wide page" aria-busy="true">
      <Loading />
      <div className="skeleton title" />
      <div className="skeleton block" />
    </div>
  )
}

export function CardsSkeleton() {
  return (
    <div className="cards" aria-busy="true">
      <Loading />
      {numbers(6).map((number) => (
        <div key={number} className="skeleton card-outline" />
      ))}
    </div>
  )
}

export function HeaderSkeleton() {
  return (
    <div className="channel-header" aria-busy="true">
      <Loading />
      <div className="skeleton avatar large" />
      <div className="grow">
        <div className="skeleton title" />
        <div className="skeleton line" />
      </div>
    </div>
  )
}

export function RecordSkeleton() {
  return <div className="skeleton record-outline" aria-busy="true" />
}

export function RowsSkeleton({ count = 8 }: { count?: number }) {
  return (
    <div className="rows-outline" aria-busy="true">
      <Loading />
      {numbers(count).map((number) => (
        <div key={number} className="skeleton row-outline" />
      ))}
    </div>
  )
}

function Loading() {
  return (
    <span className="visually-hidden" role="status">
      Loading…
    </span>
  )
}
