/** The frame around every page, and the routes. */

import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import { Route, Switch, useLocation } from "wouter"
import { settingsQuery } from "./api/people-queries"
import { Definitions } from "./components/Definitions"
import { ErrorBoundary } from "./components/ErrorBoundary"
import { Footer } from "./components/Footer"
import { Header } from "./components/Header"
import { Notices } from "./components/Notices"
import { PageSkeleton } from "./components/Skeletons"
import { TokenDialog } from "./components/TokenDialog"
import { LeaderboardPage } from "./pages/LeaderboardPage"
import { NotFoundPage } from "./pages/NotFoundPage"
import { openCall, useOpenCall } from "./review/open-call"

// Each page is loaded when it is opened; the chart library, the largest part, by the pages of stocks alone.
const ChannelPage = lazy(() => import("./pages/ChannelPage"))
const ChannelsPage = lazy(() => import("./pages/ChannelsPage"))
const StockPage = lazy(() => import("./pages/StockPage"))
const TickerPage = lazy(() => import("./pages/TickerPage"))
const ComparePage = lazy(() => import("./pages/ComparePage"))
const NewsPage = lazy(() => import("./pages/NewsPage"))
const ActivityPage = lazy(() => import("./pages/ActivityPage"))
const RunPage = lazy(() => import("./pages/RunPage"))
const PlansPage = lazy(() => import("./pages/PlansPage"))
const PlanPage = lazy(() => import("./pages/PlanPage"))
const ExportsPage = lazy(() => import("./pages/ExportsPage"))
const SettingsPage = lazy(() => import("./pages/SettingsPage"))
const AlertsPage = lazy(() => import("./pages/AlertsPage"))
const CallDialog = lazy(() => import("./review/CallDialog"))
const MethodPage = lazy(() => import("./pages/MethodPage"))

export function App() {
  const call = useOpenCall()
  const [location] = useLocation()
  // They are what pages open with, once they are known.
  useQuery(settingsQuery())
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <Header />
      <main id="content" tabIndex={-1}>
        <ErrorBoundary at={location} isPage>
          <Suspense fallback={<PageSkeleton />}>
            <Switch>
              <Route path="/" component={LeaderboardPage} />
              <Route path="/channels" component={ChannelsPage} />
              <Route path="/compare" component={ComparePage} />
              <Route path="/how-scores-are-made" component={MethodPage} />
              <Route path="/news" component={NewsPage} />
              <Route path="/activity" component={ActivityPage} />
              <Route path="/runs/:id">{({ id }) => <RunPage key={id} id={id} />}</Route>
              <Route path="/plans" component={PlansPage} />
              <Route path="/plans/:id">{({ id }) => <PlanPage key={id} id={id} />}</Route>
              <Route path="/alerts" component={AlertsPage} />
              <Route path="/alerts/settings" component={AlertsPage} />
              <Route path="/exports" component={ExportsPage} />
              <Route path="/settings" component={SettingsPage} />
              <Route path="/stocks/:ticker">
                {({ ticker }) => <TickerPage key={ticker} ticker={ticker} />}
              </Route>
              <Route path="/channels/:id/stocks/:ticker">
                {({ id, ticker }) => <StockPage key={`${id} ${ticker}`} id={id} ticker={ticker} />}
              </Route>
              <Route path="/channels/:id/:tab?">
                {({ id, tab }) => <ChannelPage key={id} id={id} tab={tab ?? "score"} />}
              </Route>
              <Route component={NotFoundPage} />
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      {call && (
        <ErrorBoundary onClose={() => openCall(null)}>
          <Suspense>
            <CallDialog key={`${call.videoId} ${call.ticker}`} place={call} onClose={() => openCall(null)} />
          </Suspense>
        </ErrorBoundary>
      )}
      <Notices />
      <TokenDialog />
      <Definitions />
    </>
  )
}
