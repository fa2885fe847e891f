"""Feeds of news over a real socket: what is read of them, and what they cannot do to us."""

import socket
from typing import Any

import pytest

from functions.news.protocols import FeedReading, Headline, Validators
from functions.news.sources.edgar import EdgarFilings
from functions.news.sources.feeds import LIMITS
from functions.news.sources.newsapi import NewsApi
from functions.news.sources.xml_feeds import MAX_ENTRIES, read_entries
from functions.news.sources.yahoo_rss import YahooHeadlines
from functions.runtime.provider_errors import Blocked, Nonsense, NotFound, QuotaUsedUp, Refused, Throttled, Unavailable
from functions.runtime.settings import settings
from tests.stub import Request, Response, Stub, json_response

NOTHING = Validators()


def an_item(number: int = 1, *, title: str = "Apple rises", date: str = "Mon, 02 Mar 2026 09:30:00 -0500") -> str:
    return (
        f"<item><title>{title}</title><link>https://example.com/{number}?.tsrc=rss</link>"
        f"<description>&lt;p&gt;Shares of &lt;b&gt;Apple&lt;/b&gt; rose.&lt;/p&gt;</description>"
        f"<pubDate>{date}</pubDate><guid>guid-{number}</guid></item>"
    )


def rss(*items: str, head: str = '<?xml version="1.0" encoding="UTF-8"?>', end: str = "</channel></rss>") -> bytes:
    return f'{head}<rss version="2.0"><channel><title>Feed</title>{"".join(items)}{end}'.encode()


def a_feed(content: bytes, **headers: str) -> Response:
    return Response(200, content, {"Content-Type": "application/rss+xml", **headers})


def read(stub: Stub, known: Validators = NOTHING) -> FeedReading:
    return YahooHeadlines(f"{stub.url}/rss").headlines("BRK.B", known)


def test_a_feed_is_asked_for_by_its_ticker_and_read(stub: Stub) -> None:
    title = "Apple (NASDAQ: AAPL) &amp; <![CDATA[$MSFT]]> rise"
    stub.on("/rss", a_feed(rss(an_item(title=title)), ETag='"one"', **{"Last-Modified": "yesterday"}))

    reading = read(stub)

    assert reading == FeedReading(
        (
            Headline(
                url="https://example.com/1?.tsrc=rss",
                title="Apple (NASDAQ: AAPL) & $MSFT rise",
                published_at="2026-03-02T14:30:00.000Z",
                tags=("BRK.B", "AAPL", "MSFT"),
                text="<p>Shares of <b>Apple</b> rose.</p>",
                source_name="Yahoo Finance",
            ),
        ),
        Validators('"one"', "yesterday"),
    )
    (request,) = stub.requests
    assert request.query["s"] == "BRK-B"
    assert request.headers["accept-encoding"] == "identity"
    assert "if-none-match" not in request.headers


def test_a_feed_that_has_not_changed_is_not_read(stub: Stub) -> None:
    known = Validators('"one"', "yesterday")
    stub.on("/rss", Response(304))

    reading = read(stub, known)

    assert (reading.is_unchanged, reading.headlines, reading.validators) == (True, (), known)
    assert stub.requests[0].headers["if-none-match"] == '"one"'
    assert stub.requests[0].headers["if-modified-since"] == "yesterday"


@pytest.mark.parametrize(
    ("content", "found", "problem"),
    [
        (rss(an_item(1), an_item(2), "<item><title>Half"), 2, "no well-formed XML"),
        (rss(an_item(1), "<item><title>&undefined;</title></item>"), 1, "no well-formed XML"),
        (b"<html><body>One moment<br></body>", 0, "no well-formed XML"),
        (b"<html><body>One moment</body></html>", 0, "neither RSS nor Atom"),
        (b"", 0, "no well-formed XML"),
        (b"<entry>Half<title>Apple rises</title></entry>", 1, "neither RSS nor Atom"),
        (rss(head='<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'), 0, "document type"),
        (rss(head='<!DOCTYPE rss SYSTEM "http://127.0.0.1/x.dtd">'), 0, "document type"),
        (rss("<item>" + "<a>" * 100 + "</a>" * 100 + "</item>"), 0, "nested too deeply"),
        (rss(*map(an_item, range(MAX_ENTRIES + 50))), MAX_ENTRIES, None),
    ],
)
def test_of_a_feed_that_is_broken_or_dangerous_what_came_before_is_kept(
    stub: Stub, content: bytes, found: int, problem: str | None
) -> None:
    stub.on("/rss", a_feed(content, ETag='"one"'))

    reading = read(stub)

    assert len(reading.headlines) == found
    assert (reading.problem is None) == (problem is None)
    assert problem is None or problem in (reading.problem or "")
    # What is lost of it is asked for again.
    assert (reading.validators == NOTHING) == (problem is not None)


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("UTF-8", "cp1252"),
        ("ISO-8859-1", "utf-8"),
        ("ISO-8859-1", "cp1252"),
        ("nonsense", "utf-8"),
        ("UTF-16", "utf-16"),
    ],
)
def test_a_feed_is_read_in_the_encoding_that_it_is_in(declared: str, encoding: str) -> None:
    text = rss(an_item(title="Nestlé rises")).decode().replace("UTF-8", declared)

    entries = read_entries(text.encode(encoding))

    assert [entry.fields["title"] for entry in entries.found] == ["Nestlé rises"]


def test_an_encoding_that_yields_no_text_ends_no_reading() -> None:
    content = rss(an_item(title="Apple \\ud800 rises"), head='<?xml version="1.0" encoding="unicode_escape"?>')

    entries = read_entries(content.replace(b"Feed", b"\xe9"))

    assert [entry.fields["title"].split() for entry in entries.found] == [["Apple", "rises"]]


@pytest.mark.parametrize(
    ("date", "published_at"),
    [
        ("Mon, 02 Mar 2026 09:30:00 GMT", "2026-03-02T09:30:00.000Z"),
        ("2026-03-02T09:30:00-05:00", "2026-03-02T14:30:00.000Z"),
        ("Mon, 02 Mar 2026 09:30:00", "2026-03-02T09:30:00.000Z"),
        ("20260302T093000Z", "2026-03-02T09:30:00.000Z"),
        ("2026-03-02 09:30", "2026-03-02T09:30:00.000Z"),
        ("2026-03-02", None),
        ("2026-03-02-05:00", None),
        ("20260302", None),
        ("Mon, 02 Mar 2026", None),
        ("02 Mar 2026 +0000", None),
        ("yesterday", None),
        ("", None),
        ("Mon, 99 Mar 99999 09:30:00 GMT", None),
    ],
)
def test_timestamps_are_read_as_feeds_write_them(date: str, published_at: str | None) -> None:
    (entry,) = read_entries(rss(an_item(date=date))).found

    assert entry.published_at == published_at


def test_of_a_feed_of_50_megabytes_the_beginning_is_read(stub: Stub) -> None:
    sent = []

    def huge(_: Request) -> Response:
        content = rss(*map(an_item, range(3)), "<item><title>" + "x" * 50_000_000)
        sent.append(len(content))
        return a_feed(content)

    stub.on("/rss", huge)

    reading = read(stub)

    assert sent[0] > 10 * LIMITS.bytes
    assert len(reading.headlines) == 3
    assert reading.problem


def test_a_redirect_leads_to_public_addresses_alone(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    other = Stub()
    other.everywhere(a_feed(rss(an_item())))
    try:
        for target in (other.url, "http://169.254.169.254/latest", "https://10.0.0.1/", "file:///etc/passwd"):
            stub.on("/rss", Response(302, headers={"Location": target}))
            with pytest.raises(Refused, match="no request may be sent"):
                read(stub)
        assert not other.requests
        stub.on("/rss", Response(301, headers={"Location": "/moved"}))
        stub.on("/moved", a_feed(rss(an_item())))
        assert len(read(stub).headlines) == 1
        stub.on("/moved", Response(302, headers={"Location": "/rss"}))
        with pytest.raises(Nonsense, match="without end"):
            read(stub)
        stub.on("/rss", Response(302, headers={"Location": "http://[x"}))
        with pytest.raises(Nonsense, match="no address"):
            read(stub)
        monkeypatch.setenv("WEBHOOK_ALLOW_PRIVATE", "true")
        settings.cache_clear()
        stub.on("/rss", Response(302, headers={"Location": f"{other.url}/feed"}))
        with pytest.raises(Refused, match="no request may be sent"):
            read(stub)
        assert not other.requests
    finally:
        other.close()
        settings.cache_clear()


@pytest.mark.parametrize(
    ("status", "error"),
    [(403, Blocked), (404, NotFound), (418, Refused), (429, Throttled), (500, Unavailable), (503, Unavailable)],
)
def test_refusals_are_told_apart(stub: Stub, status: int, error: type[Exception]) -> None:
    stub.on("/rss", Response(status, headers={"Retry-After": "7"}))

    with pytest.raises(error):
        read(stub)


@pytest.mark.parametrize("code", [socket.EAI_AGAIN, socket.EAI_NONAME])
def test_a_name_that_cannot_be_looked_up_is_tried_again(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(code, "no")

    monkeypatch.setattr(socket, "getaddrinfo", fail)

    with pytest.raises(Unavailable, match="could not be looked up"):
        YahooHeadlines("https://feeds.example.com/rss").headlines("AAPL", NOTHING)


def test_a_feed_that_breaks_off_is_unavailable(stub: Stub) -> None:
    stub.on("/rss", Response(200, b"<rss>", declared_length=5_000))

    reading = read(stub)

    assert (reading.headlines, bool(reading.problem)) == ((), True)


def test_filings_are_asked_for_with_a_contact(stub: Stub) -> None:
    atom = (
        '<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom">'
        "<company-info><conformed-name>APPLE INC</conformed-name></company-info>"
        '<entry><category label="form type" scheme="https://www.sec.gov/" term="8-K"/>'
        '<content type="text/xml"><filing-type>8-K</filing-type></content>'
        '<link href="https://www.sec.gov/Archives/1-index.htm" rel="alternate" type="text/html"/>'
        '<summary type="html">&lt;b&gt;Filed:&lt;/b&gt; 2026-03-02</summary><title>8-K  - Current report</title>'
        "<updated>2026-03-02T16:30:11-05:00</updated><id>urn:1</id></entry></feed>"
    )
    stub.on("/edgar", a_feed(atom.encode()), Response(200, b"<html>No matching Ticker Symbol.</html>"))
    filings = EdgarFilings("ops@example.com", f"{stub.url}/edgar")

    (headline,) = filings.headlines("AAPL", NOTHING).headlines

    assert headline.title == "AAPL files 8-K  - Current report"
    assert (headline.url, headline.published_at) == (
        "https://www.sec.gov/Archives/1-index.htm",
        "2026-03-02T21:30:11.000Z",
    )
    assert "ops@example.com" in stub.requests[0].headers["user-agent"]
    assert stub.requests[0].query["CIK"] == "AAPL"
    with pytest.raises(NotFound):
        filings.headlines("ZZZZ", NOTHING)


def test_newsapi_is_searched_for_the_companys_name(stub: Stub) -> None:
    article = {
        "source": {"id": None, "name": "The Paper"},
        "author": None,
        "title": "Apple rises",
        "description": "It rose.",
        "url": "https://example.com/1",
        "publishedAt": "2026-03-02T09:30:00Z",
    }
    stub.on(
        "/everything",
        json_response({"status": "ok", "articles": [article, {"title": 7, "source": None}]}),
        json_response({"status": "error", "code": "apiKeyExhausted", "message": "no more"}, 429),
        json_response({"status": "error", "code": "apiKeyInvalid", "message": "who"}, 401),
        json_response({"status": "ok"}),
    )
    api = NewsApi("the-key", stub.url)

    first, broken = api.headlines("AAPL", NOTHING).headlines

    assert (first.title, first.source_name, first.published_at) == ("Apple rises", "The Paper", "2026-03-02T09:30:00Z")
    assert (broken.title, broken.url) == ("", "")
    assert stub.requests[0].query["q"] == '"Apple"'
    assert stub.requests[0].headers["x-api-key"] == "the-key"
    for error in (QuotaUsedUp, Blocked, Nonsense):
        with pytest.raises(error):
            api.headlines("AAPL", NOTHING)
