"""Lists that come in pages, read as one."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar, cast

Page = TypeVar("Page", bound=Mapping[str, Any])
Item = TypeVar("Item")


class Pages(Generic[Page, Item]):
    """The items of a list, each page requested when it is reached. Can be read more than once."""

    def __init__(self, read: Callable[[str | None], Page]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from cast(list[Item], page["items"])

    def pages(self) -> Iterator[Page]:
        """The pages themselves, which of some lists tell more than their items. One may be empty before the end."""
        token: str | None = None
        while True:
            page = self._read(token)
            yield page
            token = page["nextToken"]
            if token is None:
                return
