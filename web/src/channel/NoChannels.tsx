/** The first thing a new reader sees: channels to try. */

import { useLocation } from "wouter"
import { useAddChannel } from "../api/changes"
import { explain } from "../api/problems"
import { DemoBadge } from "../parts/Badges"
import { Icon } from "../parts/Icon"
import { Empty } from "../parts/States"
import { DEMO_CHANNELS } from "../text/demo"

export function NoChannels() {
  const { add, error, isPending, variables } = useAddChannel()
  const [, navigate] = useLocation()
  return (
    <Empty title="No channels yet">
      <p className="soft">Add one by its YouTube address, or try a made-up one with real prices:</p>
      <ul className="offers">
        {DEMO_CHANNELS.map(({ name, url, manner }) => (
          <li key={url}>
            <button
              type="button"
              className="offer"
              disabled={isPending}
              aria-busy={isPending && variables?.url === url}
              onClick={() =>
                add({ url, time_range_months: 36 }, (added) => navigate(`/channels/${added.id}`))
              }
            >
              <span className="offer-name">
                {name} <DemoBadge />
              </span>
              <span className="soft">{manner}</span>
              <Icon name="add" />
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <p className="field-help wrong" role="alert">
          {explain(error)}
        </p>
      )}
    </Empty>
  )
}
