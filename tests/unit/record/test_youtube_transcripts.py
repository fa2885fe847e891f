"""Captions as youtube-transcript-api finds them on YouTube's own pages."""

import subprocess
import sys
from typing import Any

import pytest
import requests

from functions.reading.transcripts import Transcript
from functions.record.sources.youtube_captions import YouTubeTranscripts
from functions.runtime.provider_errors import NotFound, ProviderError, Refused, Throttled, Unavailable
from tests.live_responses import VIDEO, captions, player, serve_transcript, session_to, watch_page
from tests.stub import Response, Stub, cut_off_response, html_response, json_response

BOT = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you’re not a bot"}  # noqa: RUF001
BOT_TYPED = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you're not a bot"}
AGE = {"status": "LOGIN_REQUIRED", "reason": "This video may be inappropriate for some users."}
PRIVATE = {
    "status": "LOGIN_REQUIRED",
    "reason": "This is a private video. Please sign in to verify that you may see it.",
}
GONE = {"status": "ERROR", "reason": "This video is unavailable"}
LATER = "This content isn\u2019t available, try again later."
CONSENT = Response(200, b'<form action="https://consent.youtube.com/s"><input name="v" value="cb"></form>')


def unplayable(reason: str | None, *details: str, status: str = "UNPLAYABLE") -> Response:
    screen = {"playerErrorMessageRenderer": {"subreason": {"runs": [{"text": text} for text in details]}}}
    return player({"status": status, "reason": reason, "errorScreen": screen})


def transcripts(stub: Stub, **options: Any) -> YouTubeTranscripts:
    return YouTubeTranscripts(session=lambda: session_to(stub), timeouts=(1.0, 0.2), **options)


def test_captions_become_one_text(stub: Stub) -> None:
    serve_transcript(stub, "I am buying\nApple", "this  week &amp;amp; next")

    assert transcripts(stub).read(VIDEO).text == "I am buying Apple this week & next"


def test_captions_know_when_each_piece_is_said(stub: Stub) -> None:
    serve_transcript(stub, "I am buying", " ", "Apple now")

    assert transcripts(stub).read(VIDEO) == Transcript("I am buying Apple now", "youtube", "en", (0, 12), (0, 2))


def test_the_first_language_that_exists_is_taken(stub: Stub) -> None:
    serve_transcript(stub, "Guten Tag")
    stub.on("/youtubei/v1/player", player(languages=("fr", "de")))

    transcript = transcripts(stub, languages=("en", "de", "fr")).read(VIDEO)

    assert transcript.language == "de"
    assert stub.requests[-1].query["lang"] == "de"


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(player(languages=()), id="disabled"),
        pytest.param(player(languages=("fr",)), id="other-languages"),
        pytest.param(player(GONE), id="gone"),
        pytest.param(player(PRIVATE), id="private"),
        pytest.param(player(AGE), id="age-restricted"),
        pytest.param(unplayable("Sign in to confirm your age", status="LOGIN_REQUIRED"), id="age-to-be-confirmed"),
        pytest.param(unplayable("Join this channel to get access to members-only content."), id="members-only"),
        pytest.param(
            unplayable("Video unavailable", "The uploader has not made this video available in your country"),
            id="other-countries",
        ),
        pytest.param(
            unplayable("Video unavailable", "This video has been removed by the uploader", status="ERROR"), id="removed"
        ),
        pytest.param(unplayable("This live event will begin in 2 hours.", status="LIVE_STREAM_OFFLINE"), id="not-yet"),
        pytest.param(unplayable("Premieres in 3 days", status="LIVE_STREAM_OFFLINE"), id="premiere"),
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
def test_what_is_no_video_id_is_not_requested(stub: Stub, video_id: str) -> None:
    with pytest.raises(NotFound):
        transcripts(stub).read(video_id)

    assert stub.requests == []


@pytest.mark.parametrize(
    ("path", "response"),
    [
        pytest.param("/watch", html_response(429), id="http-429"),
        pytest.param("/watch", Response(200, b'<div class="g-recaptcha"></div>'), id="captcha"),
        pytest.param("/youtubei/v1/player", player(BOT), id="bot-check"),
        pytest.param("/youtubei/v1/player", player(BOT_TYPED), id="bot-check-with-a-plain-apostrophe"),
        pytest.param("/youtubei/v1/player", unplayable("Please sign in", status="LOGIN_REQUIRED"), id="sign-in"),
        pytest.param("/youtubei/v1/player", unplayable(LATER), id="try-again-later"),
        pytest.param(
            "/youtubei/v1/player", unplayable("Video unavailable", LATER, status="ERROR"), id="in-the-details"
        ),
        pytest.param("/youtubei/v1/player", unplayable("This content isn't available."), id="content-not-available"),
        pytest.param("/api/timedtext", html_response(429), id="captions-429"),
    ],
)
def test_the_rate_limit_is_no_missing_transcript(stub: Stub, path: str, response: Response) -> None:
    serve_transcript(stub, "words")
    stub.on(path, response)

    with pytest.raises(Throttled, match=r"again in an hour.*TRANSCRIPT_PROXY_URL.*TRANSCRIPTS_FOLDER"):
        transcripts(stub).read(VIDEO)


def test_a_proof_of_origin_is_requested_with_the_way_out(stub: Stub) -> None:
    serve_transcript(stub, "words")
    stub.on("/youtubei/v1/player", player(extra="&exp=xpe"))

    with pytest.raises(Refused, match=r"TRANSCRIPT_PROXY_URL.*TRANSCRIPTS_FOLDER"):
        transcripts(stub).read(VIDEO)


@pytest.mark.parametrize("reason", [None, "Something new"])
def test_a_reason_that_is_not_known_may_pass_and_is_told(stub: Stub, reason: str | None) -> None:
    serve_transcript(stub, "words")
    stub.on("/youtubei/v1/player", unplayable(reason))

    with pytest.raises(Unavailable, match=reason or "no reason given") as raised:
        transcripts(stub).read(VIDEO)

    assert type(raised.value) is Unavailable


def test_every_request_goes_to_the_address_of_the_settings(stub: Stub) -> None:
    serve_transcript(stub, "words")

    assert YouTubeTranscripts(base_url=f"{stub.url}").read(VIDEO).text == "words"
    assert [request.path for request in stub.requests] == ["/watch", "/youtubei/v1/player", "/api/timedtext"]


class NoTurns:
    def wait(self) -> None:
        raise Refused("not now")

    def slow_down(self, problem: ProviderError) -> None:
        raise AssertionError("no request was sent")


def test_a_turn_is_waited_for_before_youtube_is_called(stub: Stub) -> None:
    with pytest.raises(Refused, match="not now"):
        transcripts(stub, pace=NoTurns()).read(VIDEO)

    assert stub.requests == []


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
def test_requests_go_through_the_proxy_and_end_in_time(settings: dict[str, Any], proxy: str | None) -> None:
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
        "import functions.record.sources.youtube_captions\n"
        "import functions.reading.models.bedrock, functions.runtime.secrets\n"
        "functions.record.sources.youtube_captions.YouTubeTranscripts()\n"
        "print([name for name in ('youtube_transcript_api', 'requests', 'boto3', 'botocore') if name in sys.modules])"
    )

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == "[]"


def test_caption_markup_is_not_part_of_the_words(stub: Stub) -> None:
    serve_transcript(stub)
    stub.on("/watch", watch_page())
    stub.on("/api/timedtext", captions("&lt;i&gt;Buy&lt;/i&gt; Apple"))

    assert transcripts(stub).read(VIDEO).text == "Buy Apple"
