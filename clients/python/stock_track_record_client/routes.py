"""The basis of every resource's methods: a request to a route, and its typed response."""

from typing import Any, TypeVar, cast

from stock_track_record_client.errors import Unreachable
from stock_track_record_client.pages import Item, Page, Pages
from stock_track_record_client.sending import Sender, path_of

PAGE_SIZE = 100
"""The most that the API gives at once."""

Shape = TypeVar("Shape")
QueryValue = str | int | float | bool | None


class Routes:
    """A part of the client. `path` is given by its segments after `/api`."""

    _sender: Sender

    def _get(self, shape: type[Shape], *path: str, **query: QueryValue) -> Shape:
        return cast(Shape, self._request("GET", *path, query=query))

    def _get_csv(self, *path: str, **query: QueryValue) -> str:
        return self._sender.send("GET", path_of(*path), query={**query, "format": "csv"}).text

    def _list(self, page: type[Page], item: type[Item], *path: str, **query: QueryValue) -> Pages[Page, Item]:
        def read(token: str | None) -> Page:
            return self._get(page, *path, **query, limit=PAGE_SIZE, nextToken=token)

        return Pages(read)

    def _post(self, shape: type[Shape], *path: str, body: object = None) -> Shape:
        return cast(Shape, self._request("POST", *path, json=body))

    def _put(self, shape: type[Shape], *path: str, body: object) -> Shape:
        return cast(Shape, self._request("PUT", *path, json=body))

    def _put_file(self, shape: type[Shape], content: bytes, *path: str) -> Shape:
        kind = {"Content-Type": "application/octet-stream"}
        return cast(Shape, self._request("PUT", *path, content=content, headers=kind))

    def _patch(self, shape: type[Shape], *path: str, body: object) -> Shape:
        return cast(Shape, self._request("PATCH", *path, json=body))

    def _delete(self, *path: str) -> None:
        self._sender.send("DELETE", path_of(*path))

    def _request(self, method: str, *path: str, **options: Any) -> Any:
        response = self._sender.send(method, path_of(*path), **options)
        try:
            return response.json()
        except ValueError:
            # Such as the page of another server.
            raise Unreachable(f"{self._sender.address} is not the address of this API") from None
