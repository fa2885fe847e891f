/** The frame around every page, and the routes. */

import { lazy, Suspense } from "react"
import { Route, Switch } from "wouter"
import { Footer } from "./components/Footer"
import { Header } from "./components/Header"
import { Notices } from "./components/Notices"
import { PageSkeleton } from "./components/Skeletons"
import { TokenDialog } from "./components/TokenDialog"
import { ChannelPage } from "./pages/ChannelPage"
import { ChannelsPage } from "./pages/ChannelsPage"
import { NotFoundPage } from "./pages/NotFoundPage"

// The chart library is the largest part of the dashboard, and only this page needs it.
const StockPage = lazy(() => import("./pages/StockPage"))

export function App() {
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <Header />
      <main id="content" tabIndex={-1}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            <Route path="/" component={ChannelsPage} />
            <Route path="/channels/:id/stocks/:ticker">
              {({ id, ticker }) => <StockPage key={`${id} ${ticker}`} id={id} ticker={ticker} />}
            </Route>
            <Route path="/channels/:id/:tab?">
              {({ id, tab }) => <ChannelPage key={id} id={id} tab={tab ?? "stocks"} />}
            </Route>
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </main>
      <Footer />
      <Notices />
      <TokenDialog />
    </>
  )
}
