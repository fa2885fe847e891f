/** The frame around every page, and which page an address shows. */

import { lazy, Suspense } from "react"
import { Route, Switch } from "wouter"
import { ChannelPage } from "./pages/ChannelPage"
import { ChannelsPage } from "./pages/ChannelsPage"
import { NotFoundPage } from "./pages/NotFoundPage"
import { Footer } from "./parts/Footer"
import { Header } from "./parts/Header"
import { Notices } from "./parts/Notices"
import { PageSkeleton } from "./parts/Skeletons"
import { TokenDialog } from "./parts/TokenDialog"

// The chart is the largest part of the dashboard, and only this page has one.
const StockPage = lazy(() => import("./pages/StockPage"))

export function App() {
  return (
    <>
      <a className="skip-link" href="#content">
        Skip to the content
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
