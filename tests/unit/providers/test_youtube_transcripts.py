"""Captions as youtube-transcript-api finds them on YouTube's own pages."""

import subprocess
import sys
from typing import Any

import pytest
import requests

from functions.providers.protocols import NotFound, Refused, Unavailable
from functions.providers.transcripts import YouTubeTranscripts
from tests.unit.providers.live_responses import VIDEO, captions, player, serve_transcript, session_to, watch_page
from tests.unit.providers.stub import Response, Stub, cut_off_response, html_response, json_response

BOT = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you’re not a bot"}  # noqa: RUF001
BOT_TYPED = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you're not a bot"}
AGE = {"status": "LOGIN_REQUIRED", "reason": "This video may be inappropriate for some users."}
PRIVATE = {"status": "LOGIN_REQUIRED", "reason": "This is a private video."}
GONE = {"status": "ERROR", "reason": "This video is unavailable"}
CONSENT = Response(200, b'<form action="https://consent.youtube.com/s"><input name="v" value="cb"></form>')


def transcripts(stub: Stub, **options: Any) -> YouTubeTranscripts:
    return YouTubeTranscripts(session=lambda: session_to(stub), timeouts=(1.0, 0.2), **options)


def test_captions_become_one_text(stub: Stub) -> None:
    serve_transcript(stub, "I am buying\nApple", "this  week &amp;amp; next")

    assert transcripts(stub).read(VIDEO) == "I am buying Apple this week & next"


def test_the_first_language_that_exists_is_taken(stub: Stub) -> None:
    serve_transcript(stub, "Guten Tag")
    stub.on("/youtubei/v1/player", player(languages=("fr", "de")))

    transcripts(stub, languages=("en", "de", "fr")).read(VIDEO)

    assert stub.requests[-1].query["lang"] == "de"


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(player(languages=()), id="disabled"),
        pytest.param(player(languages=("fr",)), id="other-languages"),
        pytest.param(player(GONE), id="gone"),
        pytest.param(player(PRIVATE), id="private"),
        pytest.param(player(AGE), id="age-restricted"),
    ],
)
def test_a_video_without_a_transcript_for_us_is_not_found(stub: Stub, response: Response) -> None:
    serve_transcript(stub)
    stub.on("/youtubei/v1/player", response)

    with pytest.raises(NotFound, match=VIDEO):
        transcripts(stub).read(VIDEO)


def test_an_empty_transcript_is_not_found(stub: Stub) -> None:
    serve_transcript(stub, " ")

    with pytest.raises(NotFound, match="empty"):
        transcripts(stub).read(VIDEO)


@pytest.mark.parametrize("video_id", ["", "short", "../../../etc", "https://you", f"{VIDEO}\n", f"{VIDEO}&x=1"])
def test_what_is_no_video_id_is_not_asked_for(stub: Stub, video_id: str) -> None:
    with pytest.raises(NotFound):
        transcripts(stub).read(video_id)

    assert stub.requests == []


@pytest.mark.parametrize(
    ("path", "response"),
    [
        pytest.param("/watch", html_response(429), id="too-many-requests"),
        pytest.param("/watch", Response(200, b'<div class="g-recaptcha"></div>'), id="captcha"),
        pytest.param("/youtubei/v1/player", player(BOT), id="bot-check"),
        pytest.param("/youtubei/v1/player", player(BOT_TYPED), id="bot-check-with-a-plain-apostrophe"),
        pytest.param("/youtubei/v1/player", player(extra="&exp=xpe"), id="proof-of-origin"),
        pytest.param("/api/timedtext", html_response(429), id="captions-blocked"),
    ],
)
def test_a_blocked_address_is_told_with_its_way_out(stub: Stub, path: str, response: Response) -> None:
    serve_transcript(stub, "words")
    stub.on(path, response)

    with pytest.raises(Refused, match=r"TRANSCRIPT_PROXY_URL.*TRANSCRIPTS_FOLDER"):
        transcripts(stub).read(VIDEO)


@pytest.mark.parametrize(
    ("path", "response"),
    [
        pytest.param("/watch", html_response(500), id="server-error"),
        pytest.param("/watch", html_response(), id="page-changed"),
        pytest.param("/watch", CONSENT, id="consent-page-again"),
        pytest.param("/watch", cut_off_response(), id="cut-off"),
        pytest.param("/watch", Response(silent=True), id="silent"),
        pytest.param("/youtubei/v1/player", html_response(), id="html-instead-of-json"),
        pytest.param("/youtubei/v1/player", json_response({}), id="json-changed"),
        pytest.param("/youtubei/v1/player", json_response([]), id="json-of-another-shape"),
        pytest.param("/api/timedtext", Response(200, b""), id="empty-captions"),
        pytest.param(
            "/api/timedtext", Response(200, b"<transcript><text>x</text></transcript>"), id="captions-changed"
        ),
    ],
)
def test_a_transient_error_may_be_tried_again(stub: Stub, path: str, response: Response) -> None:
    serve_transcript(stub, "words")
    stub.on(path, response)

    with pytest.raises(Unavailable):
        transcripts(stub).read(VIDEO)


class RecordedSession(requests.Session):
    """Takes note of how a request would go out, and sends none."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[Any, Any]] = []

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        self.sent.append((dict(self.proxies), options["timeout"]))
        raise requests.ConnectionError


@pytest.mark.parametrize(
    ("settings", "proxy"),
    [
        ({}, None),
        ({"proxy_url": "http://u:p@proxy.example:8080"}, "http://u:p@proxy.example:8080"),
        ({"webshare_username": "me", "webshare_password": "pass"}, "http://me-rotate:pass@p.webshare.io:80/"),
        ({"webshare_username": "me"}, None),
    ],
)
def test_requests_go_through_the_proxy_and_end_in_time(settings: dict[str, str], proxy: str | None) -> None:
    session = RecordedSession()

    with pytest.raises(Unavailable):
        YouTubeTranscripts(session=lambda: session, timeouts=(3.0, 4.0), **settings).read(VIDEO)

    proxies, timeout = session.sent[0]
    assert proxies.get("https") == proxy
    assert timeout == (3.0, 4.0)


def test_a_proxy_that_fails_does_not_show_its_password(stub: Stub) -> None:
    proxied = YouTubeTranscripts(proxy_url=stub.url.replace("//", "//user:hush-hush@"), timeouts=(1.0, 1.0))

    with pytest.raises(Unavailable) as raised:
        proxied.read(VIDEO)

    assert "hush-hush" not in f"{raised.value!r} {raised.value.__context__!r} {proxied!r}"


def test_two_readings_do_not_share_a_session(stub: Stub) -> None:
    serve_transcript(stub, "words")
    sessions: list[requests.Session] = []

    def remember() -> requests.Session:
        sessions.append(session_to(stub))
        return sessions[-1]

    reader = YouTubeTranscripts(session=remember)
    reader.read(VIDEO)
    reader.read(VIDEO)

    assert len(sessions) == 2


def test_the_library_is_not_loaded_before_it_is_needed() -> None:
    program = (
        "import sys\n"
        "import functions.providers.transcripts, functions.providers.bedrock, functions.providers.secrets\n"
        "functions.providers.transcripts.YouTubeTranscripts()\n"
        "print([name for name in ('youtube_transcript_api', 'requests', 'boto3', 'botocore') if name in sys.modules])"
    )

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == "[]"


def test_caption_markup_is_not_part_of_the_words(stub: Stub) -> None:
    serve_transcript(stub)
    stub.on("/watch", watch_page())
    stub.on("/api/timedtext", captions("&lt;i&gt;Buy&lt;/i&gt; Apple"))

    assert transcripts(stub).read(VIDEO) == "Buy Apple"
