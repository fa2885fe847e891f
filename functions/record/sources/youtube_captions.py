"""Transcripts from YouTube, or from files that the user provides."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import ParseError

from functions.reading.captions import read_captions
from functions.reading.errors import EmptyTranscript, NotText
from functions.reading.transcripts import MAX_BYTES, Transcript
from functions.record.sources.protocols import Transcripts
from functions.runtime.provider_errors import NotFound, ProviderError, Refused, Throttled, Unavailable
from functions.runtime.text import one_line

if TYPE_CHECKING:
    from requests import Response, Session
    from youtube_transcript_api import YouTubeTranscriptApi
    from youtube_transcript_api.proxies import ProxyConfig

    from functions.runtime.http.json_client import RateLimit

BASE_URL = "https://www.youtube.com"
VIDEO_ID = re.compile(r"[A-Za-z0-9_-]{11}")
FILE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
SOURCE = "youtube"
FILE_KINDS = ("vtt", "srt", "txt")
"""File types in order of preference: timed ones first, because they locate a quote in the video."""
FILE_NAME = re.compile(
    rf"(.+?)(?:\.([a-z]{{2,3}}(?:-[a-z0-9]+)*))?\.({'|'.join(FILE_KINDS)})", re.IGNORECASE | re.DOTALL
)
MAX_NAME_LENGTH = 200
WAY_OUT = (
    "Set TRANSCRIPT_PROXY_URL, or WEBSHARE_USERNAME and WEBSHARE_PASSWORD, or hand the transcript in "
    "as a file in TRANSCRIPTS_FOLDER."
)
FOR_SOME_VIEWERS = ("private", "confirm your age", "inappropriate for some users", "members")
"""YouTube's messages for a video with restricted access. Some of them also ask to sign in."""
TOO_MANY_REQUESTS = ("try again later", "content isn't available", "not a bot", "please sign in")
"""YouTube's message for a public video when it throttles an address, after some 300 videos an hour."""
NOT_PLAYED = (
    "unavailable",
    "not available",
    "no longer available",
    "removed",
    "terminated",
    "copyright",
    "country",
    "payment",
    "will begin",
    "premieres",
    "offline",
)
"""YouTube's messages for a video that it does not play here, or not yet."""


def _session() -> "Session":
    import requests

    return requests.Session()


class YouTubeTranscripts:
    """Reads captions like the watch page does; YouTube has no official API for other people's captions."""

    def __init__(
        self,
        languages: Sequence[str] = ("en", "en-US", "en-GB"),
        *,
        proxy_url: str | None = None,
        webshare_username: str | None = None,
        webshare_password: str | None = None,
        base_url: str = BASE_URL,
        pace: "RateLimit | None" = None,
        timeouts: tuple[float, float] = (5.0, 15.0),
        session: Callable[[], "Session"] = _session,
    ) -> None:
        self._languages = tuple(languages)
        self._proxy_url = proxy_url
        self._webshare = (webshare_username, webshare_password)
        self._base_url = base_url
        self._pace = pace
        self._timeouts = timeouts
        self._session = session

    def read(self, youtube_video_id: str) -> Transcript:
        if not VIDEO_ID.fullmatch(youtube_video_id):
            raise NotFound(f"{youtube_video_id!r} is not the id of a YouTube video.")
        transcript = self._paced_captions(youtube_video_id)
        if not transcript.text:
            raise NotFound(f"The transcript of video {youtube_video_id} is empty.")
        return transcript

    def _paced_captions(self, youtube_video_id: str) -> Transcript:
        if self._pace is None:
            return self._captions(youtube_video_id)
        self._pace.wait()
        try:
            return self._captions(youtube_video_id)
        except ProviderError as problem:
            self._pace.slow_down(problem)
            raise

    def _captions(self, youtube_video_id: str) -> Transcript:
        from requests import RequestException
        from youtube_transcript_api import CouldNotRetrieveTranscript

        # Raised after the except block: a chained error could expose the proxy's password.
        error: ProviderError
        with self._session() as session:
            try:
                fetched = self._api(session).fetch(youtube_video_id, self._languages)
                timed = ((snippet.start, snippet.text) for snippet in fetched)
                return Transcript.of_pieces(timed, SOURCE, language=fetched.language_code)
            except CouldNotRetrieveTranscript as fault:
                error = _translated(fault, youtube_video_id)
            except RequestException:
                error = Unavailable("YouTube, or the proxy on the way to it, did not respond.")
            except (ParseError, LookupError, TypeError, ValueError, AttributeError):
                # The library reads undocumented pages: any of these means that a page has changed.
                error = Unavailable(f"YouTube's captions of video {youtube_video_id} could not be read.")
        raise error

    def _api(self, session: "Session") -> "YouTubeTranscriptApi":
        """A new one for each transcript: the library's client is not thread-safe."""
        from youtube_transcript_api import YouTubeTranscriptApi

        session.request = partial(self._send, session.request)  # type: ignore[method-assign]
        return YouTubeTranscriptApi(proxy_config=self._proxy(), http_client=session)

    def _send(self, request: Callable[..., "Response"], method: str, url: str, **options: Any) -> "Response":
        """The library has YouTube's address built in, and takes that of the captions from YouTube's response."""
        address = self._base_url + url.removeprefix(BASE_URL) if url.startswith(f"{BASE_URL}/") else url
        return request(method, address, timeout=self._timeouts, **options)

    def _proxy(self) -> "ProxyConfig | None":
        from youtube_transcript_api.proxies import GenericProxyConfig, WebshareProxyConfig

        username, password = self._webshare
        if username and password:
            return WebshareProxyConfig(proxy_username=username, proxy_password=password, retries_when_blocked=3)
        return GenericProxyConfig(http_url=self._proxy_url, https_url=self._proxy_url) if self._proxy_url else None


class TranscriptsFolder:
    """Reads the files of a folder, or the other source if there is none for a video.

    A file is named `{youtube_video_id}.vtt`, `.srt` or `.txt`, with a language before that or not, or as yt-dlp
    names it: `Some title [{youtube_video_id}].en.vtt`.
    """

    def __init__(self, folder: Path, otherwise: Transcripts) -> None:
        self._folder = folder
        self._otherwise = otherwise

    def read(self, youtube_video_id: str) -> Transcript:
        # The id becomes a file name: other characters could lead out of the folder.
        if not FILE_ID.fullmatch(youtube_video_id):
            raise NotFound(f"{youtube_video_id!r} is not the id of a video.")
        return self._handed_in(youtube_video_id) or self._otherwise.read(youtube_video_id)

    def _handed_in(self, youtube_video_id: str) -> Transcript | None:
        try:
            names = [path.name for path in self._folder.iterdir()]
        except FileNotFoundError:
            return None
        except OSError:
            raise Refused("The folder that TRANSCRIPTS_FOLDER names cannot be read.") from None
        for name, language in _files_of(youtube_video_id, names):
            if transcript := self._read_file(name):
                return replace(transcript, language=transcript.language or language)
        return None

    def _read_file(self, name: str) -> Transcript | None:
        shown = one_line(name, MAX_NAME_LENGTH)
        try:
            with (self._folder / name).open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError:
            raise Refused(f"The transcript {shown} was handed in but cannot be read.") from None
        if len(content) > MAX_BYTES:
            raise Refused(f"The transcript {shown} is larger than {MAX_BYTES:,} bytes.")
        try:
            return read_captions(content)
        except EmptyTranscript:
            return None
        except NotText as problem:
            raise Refused(f"The transcript {shown} was handed in but cannot be read. {problem}") from None


def _files_of(youtube_video_id: str, names: Sequence[str]) -> list[tuple[str, str | None]]:
    """The files of a video with their languages, the one to prefer first."""
    ranked = []
    for name in names:
        match = FILE_NAME.fullmatch(name) if youtube_video_id in name else None
        # A hidden file, such as macOS writes beside each file on a foreign disk, holds no transcript.
        if not match or name.startswith("."):
            continue
        title, language, kind = match.groups()
        if title == youtube_video_id or title.endswith(f"[{youtube_video_id}]"):
            is_foreign = language is not None and not language.lower().startswith("en")
            rank = (title != youtube_video_id, is_foreign, FILE_KINDS.index(kind.lower()))
            ranked.append((rank, name, language))
    return [(name, language) for _, name, language in sorted(ranked, key=lambda each: each[:2])]


def _translated(fault: Exception, youtube_video_id: str) -> ProviderError:
    import youtube_transcript_api as library

    gone = (library.VideoUnavailable, library.AgeRestricted, library.InvalidVideoId)
    match fault:
        case library.RequestBlocked():
            return _too_many_requests()
        case library.VideoUnplayable():
            return _unplayable(youtube_video_id, " ".join((fault.reason or "", *fault.sub_reasons)))
        case library.PoTokenRequired():
            return Refused(f"YouTube wants a browser's proof for the captions of video {youtube_video_id}. {WAY_OUT}")
        case library.TranscriptsDisabled() | library.NoTranscriptFound():
            return NotFound(f"Video {youtube_video_id} has no transcript in the languages asked for.")
        case _ if isinstance(fault, gone):
            return _not_for_us(youtube_video_id)
    return Unavailable(f"YouTube did not hand over the transcript of video {youtube_video_id}.")


def _unplayable(youtube_video_id: str, reason: str) -> ProviderError:
    said = reason.casefold().replace("\u2019", "'")
    if any(words in said for words in FOR_SOME_VIEWERS):
        return _not_for_us(youtube_video_id)
    if any(words in said for words in TOO_MANY_REQUESTS):
        return _too_many_requests()
    if any(words in said for words in NOT_PLAYED):
        return _not_for_us(youtube_video_id)
    return Unavailable(f"YouTube does not play video {youtube_video_id}: {one_line(reason, 200) or 'no reason given'}")


def _not_for_us(youtube_video_id: str) -> NotFound:
    return NotFound(f"Video {youtube_video_id} cannot be watched without signing in, or is gone.")


def _too_many_requests() -> Throttled:
    return Throttled(
        f"YouTube has blocked the captions for this address, as it does after some 300 videos an hour. "
        f"Process the channel again in an hour. {WAY_OUT}"
    )
