"""Counts an attempt to read a video before it begins, so that a transcript that ends its worker isn't read for ever."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Condition

from functions.record.errors import GivenUp
from functions.record.models.records import MAX_INTERRUPTIONS, Video
from functions.record.store.videos import count_attempt, end_attempt
from functions.runtime.observability import describe, logger
from functions.runtime.provider_errors import Declined

INTERRUPTED = (
    f"Reading it was interrupted {MAX_INTERRUPTIONS} times, so it is given up: "
    "its transcript may be too much for the server. Process the channel, read it again or hand in another transcript."
)

DECLINED = "A model has declined to read its transcript."


class _Turns:
    """Readings take place at the same time, except those of videos whose last reading was interrupted: if one of these
    ends the process again, no other reading is interrupted with it."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._readings = 0
        self._alone = 0

    @contextmanager
    def take(self, *, alone: bool) -> Iterator[None]:
        with self._changed:
            if alone:
                self._alone += 1
                self._changed.wait_for(lambda: not self._readings)
            else:
                self._changed.wait_for(lambda: not self._alone)
            self._readings += 1
        try:
            yield
        finally:
            with self._changed:
                self._readings -= 1
                self._alone -= alone
                self._changed.notify_all()


_turns = _Turns()


@contextmanager
def attempt(video: Video) -> Iterator[Video]:
    """Yields the video as if it had never been interrupted, for the reading to write. Raises GivenUp instead if it has
    been interrupted too often or a model has declined to read it, and VideoChanged if another worker began meanwhile.

    An error ends the attempt: only a worker that dies leaves it open.
    """
    if video.is_given_up:
        raise GivenUp((video.problem or DECLINED) if video.declined else INTERRUPTED)
    with _turns.take(alone=bool(video.interrupted)):
        count_attempt(video)
        try:
            yield replace(video, interrupted=None)
        except Exception as problem:
            _end(video, declined=isinstance(problem, Declined))
            raise


def _end(video: Video, *, declined: bool) -> None:
    try:
        end_attempt(video, declined=declined)
    except Exception as problem:
        # The error that ended the reading matters more.
        fields = {"channel_id": video.channel_id, "video_id": video.id, **describe(problem)}
        logger.warning("An attempt to read a video stays open", extra=fields)
