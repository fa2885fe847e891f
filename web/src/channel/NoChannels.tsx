/** The empty list: offers the demo channels in demo mode, and says what is missing with live providers. */

import { useQuery } from "@tanstack/react-query"
import { useLocation } from "wouter"
import { describeError } from "../api/errors"
import { useAddChannel } from "../api/mutations"
import { setupQuery } from "../api/queries"
import { DemoBadge } from "../components/Badges"
import { Icon } from "../components/Icon"
import { EmptyState } from "../components/States"
import { DEMO_CHANNELS } from "../text/demo"
import "./NoChannels.css"
import "../components/States.css"

export function NoChannels() {
  const setup = useQuery(setupQuery())
  const missing = setup.data?.missing_settings ?? []
  return (
    <EmptyState title="No channels yet">
      {setup.data?.videos === "demo" ? (
        <DemoOffers />
      ) : (
        <p className="soft">Add a YouTube channel to see how its stock calls turned out.</p>
      )}
      {missing.length > 0 && (
        <p className="banner problem">
          <Icon name="warning" />
          <span>
            {missing.map((name, index) => (
              <span key={name}>
                {index > 0 && ", "}
                <code>{name}</code>
              </span>
            ))}{" "}
            {missing.length === 1 ? "is" : "are"} not set. Real channels can’t be read without{" "}
            {missing.length === 1 ? "it" : "them"}: add {missing.length === 1 ? "it" : "them"} to{" "}
            <code>.env</code> and restart, or on AWS to the secret of provider keys.
          </span>
        </p>
      )}
    </EmptyState>
  )
}

function DemoOffers() {
  const { add, error, isPending, variables } = useAddChannel()
  const [, navigate] = useLocation()
  return (
    <>
      <p className="soft">
        Try one of the demo channels: they are fictional, their prices are real closes of past years.
      </p>
      <ul className="offers">
        {DEMO_CHANNELS.map(({ name, url, style }) => (
          <li key={url}>
            <button
              type="button"
              className="card flat offer"
              disabled={isPending}
              aria-busy={isPending && variables?.url === url}
              onClick={() =>
                add({ url, time_range_months: 36 }, (added) => navigate(`/channels/${added.id}`))
              }
            >
              <span className="offer-name">
                {name} <DemoBadge />
              </span>
              <span className="soft">{style}</span>
              <Icon name="add" />
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <p className="field-help invalid" role="alert">
          {describeError(error)}
        </p>
      )}
    </>
  )
}
