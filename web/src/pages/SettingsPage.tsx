/** A person's settings, and who they are. */

import { useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { needsToken } from "../api/errors"
import { useLoadError } from "../api/load-error"
import { meQuery, settingsQuery } from "../api/people-queries"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { RowsSkeleton } from "../components/Skeletons"
import { ErrorState } from "../components/States"
import { TokenNeeded } from "../components/TokenNeeded"
import { SettingsForm } from "../settings/SettingsForm"
import { ThemeSetting } from "../settings/ThemeSetting"
import { WhoAmI } from "../settings/WhoAmI"
import "../settings/settings.css"

export default function SettingsPage() {
  useTitle("Settings")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const settings = useQuery(settingsQuery())
  // Where the token is needed, it is asked for once.
  const me = useQuery({ ...meQuery(), enabled: settings.data !== undefined })
  const loadError = useLoadError(settings)
  return (
    <div className="wide page list-page settings-page">
      <div className="page-head">
        <div className="grow">
          <h1 ref={heading} tabIndex={-1}>
            Settings
          </h1>
          <p className="soft">
            Each is saved as you choose it. Alerts have{" "}
            <Link href="/alerts/settings">settings of their own</Link>.
          </p>
        </div>
      </div>
      {needsToken(loadError) && <TokenNeeded title="Your settings need the access token" query={settings} />}
      {loadError && !needsToken(loadError) && (
        <ErrorState title="Couldn’t load your settings" error={loadError} retry={settings.refetch} />
      )}
      {!settings.data && !loadError && <RowsSkeleton count={7} />}
      {settings.data && <SettingsForm settings={settings.data} />}
      <ThemeSetting />
      {settings.data && <WhoAmI me={me.data} />}
    </div>
  )
}
