"""Invariants of news: each record has its copies and its URL, identical except for the sentiment of each tag."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from functions.news.models import KnownUrl, NewsItem


@dataclass
class News:
    records: dict[tuple[str, str], NewsItem] = field(default_factory=dict)
    """By source id and timestamp."""
    copies: list[NewsItem] = field(default_factory=list)
    urls: dict[str, KnownUrl] = field(default_factory=dict)
    """By digest."""

    @property
    def count(self) -> int:
        return len(self.records)

    def add(self, entity: NewsItem | KnownUrl) -> None:
        """Expired items count as gone: DynamoDB removes them one by one, eventually."""
        if entity.ttl_timestamp is not None and entity.ttl_timestamp <= time.time():
            return
        if isinstance(entity, KnownUrl):
            self.urls[entity.digest] = entity
        elif entity.tag:
            self.copies.append(entity)
        else:
            self.records[entity.source_id, entity.timestamp] = entity

    def problems(self) -> Iterator[str]:
        tags: dict[tuple[str, str], set[str]] = {key: set() for key in self.records}
        yield from self._problems_of_copies(tags)
        yield from self._problems_of_records(tags)
        stored = {source_id for source_id, _ in self.records}
        for url in self.urls.values():
            if url.source_id not in stored:
                yield f"the URL of news {url.source_id} is known, and there is no such news"

    def _problems_of_copies(self, tags: dict[tuple[str, str], set[str]]) -> Iterator[str]:
        """Adds to `tags` each tag under which a record has a valid copy."""
        for copy in self.copies:
            key = copy.source_id, copy.timestamp
            record = self.records.get(key)
            if record is None:
                yield f"news {copy.source_id} has a copy under {copy.tag} and no record"
            elif copy.unread_copy("") != record.unread_copy(""):
                yield f"the copy of news {copy.source_id} under {copy.tag} differs from the record"
            elif (copy.sentiment is None) != (copy.tag in record.tags_to_read):
                yield f"the copy of news {copy.source_id} under {copy.tag} and the record differ on whether it was read"
            else:
                tags[key].add(str(copy.tag))

    def _problems_of_records(self, tags: dict[tuple[str, str], set[str]]) -> Iterator[str]:
        for key, record in self.records.items():
            if missing := set(record.matched_tags) - tags[key]:
                yield f"news {record.source_id} has no right copy under {', '.join(sorted(missing))}"
            url = self.urls.get(record.digest)
            if url is None or url.source_id != record.source_id:
                yield f"the URL of news {record.source_id} is not known"
            elif url.tags and url.tags != record.matched_tags:
                yield f"the URL of news {record.source_id} has other tags than the record"
