"""A fresh stub server for each test that uses one."""

from collections.abc import Iterator

import pytest

from tests.stub import Stub


@pytest.fixture
def stub() -> Iterator[Stub]:
    server = Stub()
    yield server
    server.close()
