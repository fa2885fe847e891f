"""The local server, watched until a channel is what a test waits for."""

from collections.abc import Callable
from typing import Any

from tests.fakes import eventually
from tests.local_server import LocalServer


class Server(LocalServer):
    def get(self, path: str) -> Any:
        return self.request("GET", path)[1]

    def ended(self, channel_id: str) -> Any:
        """The channel once its run is over."""
        return self.wait_for(channel_id, lambda channel: channel["status"] not in ("pending", "processing"))

    def wait_for(self, channel_id: str, holds: Callable[[Any], bool]) -> Any:
        path = f"/api/channels/{channel_id}"
        return eventually(lambda: (channel := self.get(path)) and holds(channel) and channel)
