/** Headlines about stocks, newest first, polled while the tab is visible. The filters are part of the URL. */

import { useInfiniteQuery } from "@tanstack/react-query"
import { useLoadError } from "../api/load-error"
import { newsQuery } from "../api/news-queries"
import { Icon } from "../components/Icon"
import { LoadMore } from "../components/LoadMore"
import { useHeadingFocus, useTitle } from "../components/navigation"
import { RowsSkeleton } from "../components/Skeletons"
import { ErrorState, StaleBanner } from "../components/States"
import { Term } from "../components/Term"
import { useUrlState } from "../components/url-state"
import { NewsFilters } from "../news/NewsFilters"
import { NewsRow } from "../news/NewsRow"
import { NoNews } from "../news/NoNews"
import { isFictional, mergeLists, newsFilterIn } from "../news/news"
import { counted } from "../text/numbers"
import "../components/States.css"
import "../news/NewsRow.css"

export default function NewsPage() {
  const [search, change] = useUrlState()
  const filter = newsFilterIn(search)
  useTitle(filter.ticker ? `News about ${filter.ticker}` : "News")
  const heading = useHeadingFocus<HTMLHeadingElement>()
  const news = useInfiniteQuery(newsQuery(filter))
  const loadError = useLoadError(news)
  const read = news.data && mergeLists(news.data.pages)
  // The API lists by stock or by tone.
  const stories = read?.filter(({ sentiment }) => !filter.tone || sentiment === filter.tone)
  return (
    <div className="wide page list-page">
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            News
          </h1>
          <p className="soft">
            What the press said about the stocks that channels mention, with the{" "}
            <Term of="news_tone">tone</Term> of each headline.
          </p>
        </div>
      </div>
      <NewsFilters filter={filter} onChange={change} />
      {loadError && <ErrorState title="Couldn’t load the news" error={loadError} retry={news.refetch} />}
      {!stories && !loadError && <RowsSkeleton />}
      {stories && <StaleBanner error={news.error} />}
      <p className="visually-hidden" role="status">
        {stories && `${counted(stories.length, "headline", "headlines")} shown`}
      </p>
      {stories?.some(isFictional) && (
        <p className="banner">
          <Icon name="info" />
          <span>
            Demo data: these headlines are fictional, written for the demo’s stocks and years. Their sources
            and authors don’t exist.
          </span>
        </p>
      )}
      {stories && stories.length > 0 && (
        <ol className="news-list" aria-label="Headlines, newest first">
          {stories.map((story) => (
            <NewsRow key={story.source_id} story={story} />
          ))}
        </ol>
      )}
      {read && stories?.length === 0 && !news.hasNextPage && (
        <NoNews filter={filter} others={read.length} onChange={change} />
      )}
      {read && stories?.length === 0 && news.hasNextPage && (
        <p className="soft">
          None of the newest {counted(read.length, "headline", "headlines")} about {filter.ticker} is{" "}
          {filter.tone}.
        </p>
      )}
      <LoadMore query={news} label="Load older news" />
    </div>
  )
}
