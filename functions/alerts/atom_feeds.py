"""Alerts as Atom feeds (RFC 4287): one entry per call, verdict and matured call."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from functions.alerts.lists import ChannelAlert, document_of, newest_alerts, newest_alerts_of_channel
from functions.alerts.words import explanation, headline
from functions.record.models.alerts import AlertKind

ENTRIES = 100
NOT_ADVICE = "What channels said, as it was read by a program. Not investment advice."
URN = "urn:stock-track-record"
NEVER = "1970-01-01T00:00:00.000Z"
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot represent: control characters, lone surrogates and two non-characters."""


def feed_of_all(own_address: str) -> str:
    return _feed("Stock Track Record", f"{URN}:feed", own_address, "/", newest_alerts(ENTRIES))


def feed_of_channel(channel_id: str, own_address: str) -> str:
    channel, alerts = newest_alerts_of_channel(channel_id, ENTRIES)
    title = f"{channel.name} on Stock Track Record"
    return _feed(title, f"{URN}:feed:{channel_id}", own_address, f"/channels/{channel_id}", alerts)


def _feed(title: str, feed_id: str, own_address: str, page: str, alerts: list[ChannelAlert]) -> str:
    """The feed's `updated` is the creation time of its newest alert."""
    entries = [entry for alert in alerts for entry in _entries(document_of(alert))][:ENTRIES]
    updated = max((each.alert.created_at for each in alerts), default=NEVER)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        _element("title", title),
        _element("subtitle", NOT_ADVICE),
        _element("id", feed_id),
        _element("updated", updated),
        f'<link rel="self" type="application/atom+xml" href={_quoted(own_address)}/>',
        f'<link rel="alternate" type="text/html" href={_quoted(page)}/>',
        "<author><name>Stock Track Record</name></author>",
        *entries,
        "</feed>",
        "",
    ]
    return "\n".join(lines)


def _entries(document: Mapping[str, Any]) -> Iterator[str]:
    for detail in document["details"]:
        parts = [
            _element("id", f"{URN}:alert:{document['id']}:{_name_of(document, detail)}"),
            _element("title", headline(document, detail)),
            _element("published", document["occurred_at"]),
            _element("updated", document["occurred_at"]),
            f"<author>{_element('name', document['channel_name'])}</author>",
            *(f"<category term={_quoted(term)}/>" for term in _categories(document, detail)),
            f'<link rel="alternate" href={_quoted(_link_of(document, detail))}/>',
            f'<content type="text">{_escaped(explanation(document, detail))}</content>',
        ]
        yield f"<entry>{''.join(parts)}</entry>"


def _name_of(document: Mapping[str, Any], detail: Mapping[str, Any]) -> str:
    """Distinguishes the entries of one alert. A stock may mature in two videos at once."""
    match document["kind"]:
        case AlertKind.VERDICT:
            return str(detail["horizon"])
        case AlertKind.MATURED:
            return f"{detail['ticker']}:{detail['video_id']}"
    return str(detail["ticker"])


def _categories(document: Mapping[str, Any], detail: Mapping[str, Any]) -> Iterable[str]:
    yield str(document["kind"])
    if detail.get("is_reversal"):
        yield "reversal"
    if ticker := detail.get("ticker"):
        yield ticker


def _link_of(document: Mapping[str, Any], detail: Mapping[str, Any]) -> str:
    return str(detail.get("quote_url") or f"/channels/{document['channel_id']}")


def _element(name: str, text: str) -> str:
    return f"<{name}>{_escaped(text)}</{name}>"


def _escaped(text: str) -> str:
    return escape(_NOT_XML.sub(" ", text))


def _quoted(text: str) -> str:
    return quoteattr(_NOT_XML.sub(" ", text))
