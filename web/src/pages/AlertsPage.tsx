/** Alerts, newest first, and their settings. */

import { Link, useLocation } from "wouter"
import { AlertList } from "../alerts/AlertList"
import { AlertSettingsForm } from "../alerts/AlertSettingsForm"
import { useHeadingFocus, useTitle } from "../components/navigation"
import "../channel/Tabs.css"

const SETTINGS = "/alerts/settings"

export default function AlertsPage() {
  const [location] = useLocation()
  const isSettings = location === SETTINGS
  useTitle(isSettings ? "Settings of alerts" : "Alerts")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  return (
    <div className="wide page list-page">
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            Alerts
          </h1>
          <p className="soft">
            New calls, reversals, changed verdicts, and calls that reached their horizon.
          </p>
        </div>
      </div>
      <nav className="tabs" aria-label="Alert views">
        <Link href="/alerts" aria-current={isSettings ? undefined : "page"}>
          Newest
        </Link>
        <Link href={SETTINGS} aria-current={isSettings ? "page" : undefined}>
          Settings
        </Link>
      </nav>
      {isSettings ? <AlertSettingsForm /> : <AlertList />}
    </div>
  )
}
