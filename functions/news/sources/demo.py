"""A news source with the demo's fictional, dated headlines for its stocks and years."""

import hashlib

from functions.news.models import SourceType
from functions.news.protocols import FeedReading, Headline, Validators
from functions.news.sources.demo_headlines import demo_headlines
from functions.runtime.clock import timestamp


class DemoNews:
    source_type = SourceType.DEMO
    feeds_at_once = 500
    seconds_between = 0

    def headlines(self, ticker: str, known: Validators) -> FeedReading:
        told = tuple(
            Headline(
                url=each.url,
                title=each.title,
                published_at=timestamp(each.published_at),
                tags=each.tags,
                text=each.text,
                source_name=each.source_name,
                author=each.author,
            )
            for each in demo_headlines()
            if ticker in each.tags
        )
        # A new version of the product may bundle different headlines.
        etag = hashlib.sha256(repr(told).encode()).hexdigest()
        if known.etag == etag:
            return FeedReading(validators=known, is_unchanged=True)
        return FeedReading(told, Validators(etag=etag))
