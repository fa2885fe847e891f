"""Which YouTube channel a URL names, and which URLs name none."""

import pytest

from functions.record.channels.youtube_urls import parse_channel_url
from functions.runtime.dynamodb.tables import guard_key

CHANNEL_ID = "UCDemoValueInvestor00000"


@pytest.mark.parametrize(
    ("url", "identifier"),
    [
        ("https://www.youtube.com/@name", "handle:name"),
        ("http://youtube.com/@name", "handle:name"),
        ("https://m.youtube.com/@name", "handle:name"),
        ("HTTPS://WWW.YouTube.COM/@Name", "handle:Name"),
        ("youtube.com/@name", "handle:name"),
        ("www.youtube.com/@name", "handle:name"),
        ("m.youtube.com/@name", "handle:name"),
        ("https://youtube.com:443/@name", "handle:name"),
        ("http://youtube.com:80/@name", "handle:name"),
        ("https://youtube.com:/@name", "handle:name"),
        ("  https://youtube.com/@name\n", "handle:name"),
        ("https://youtube.com/@name/", "handle:name"),
        ("https://youtube.com/@name/videos", "handle:name"),
        ("https://youtube.com/@name?si=abc&x=1", "handle:name"),
        ("https://youtube.com/@name#about", "handle:name"),
        ("youtube.com/@name?next=https://example.com/", "handle:name"),
        ("https://youtube.com/%40name", "handle:name"),
        ("https://youtube.com/@first.last-2_3", "handle:first.last-2_3"),
        ("https://youtube.com/@жизнь", "handle:жизнь"),
        ("https://youtube.com/@株式投資", "handle:株式投資"),
        ("https://youtube.com/@हिन्दी", "handle:हिन्दी"),
        ("https://youtube.com/@หุ้น", "handle:หุ้น"),
        ("https://youtube.com/@%E6%A0%AA", "handle:株"),
        ("https://youtube.com/@cafe\u0301", "handle:café"),
        (f"https://youtube.com/channel/{CHANNEL_ID}", f"channel_id:{CHANNEL_ID}"),
        (f"https://youtube.com/channel/{CHANNEL_ID}/videos?view=0", f"channel_id:{CHANNEL_ID}"),
        ("https://youtube.com/c/SomeName", "custom:SomeName"),
        ("https://youtube.com/user/SomeName", "user:SomeName"),
        ("https://youtube.com/USER/SomeName", "user:SomeName"),
    ],
)
def test_a_channel_is_found_in_each_form_of_its_url(url: str, identifier: str) -> None:
    assert parse_channel_url(url).identifier == identifier


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "name",
        "@name",
        "youtube.com",
        "https://youtube.com/",
        "https://youtube.com/@",
        "https://youtube.com/@/videos",
        "https://youtube.com/channel/",
        "https://youtube.com/c",
        "https://youtube.com/user//x",
        "https://youtube.com//@name",
        "https://youtube.com/watch?v=dQw4w9WgXcQ",
        "https://youtube.com/playlist?list=PL1",
        "https://youtube.com/shorts/abc",
        "https://youtu.be/@name",
        "https://music.youtube.com/@name",
        "https://evil.com/?x=youtube.com/@a",
        "https://evil.com/youtube.com/@a",
        "https://evil.com/#youtube.com/@a",
        "https://evil.com\\@youtube.com/@a",
        "https://youtube.com\\.evil.com/@a",
        "https://youtube.com.evil.com/@a",
        "https://youtube.com@evil.com/@a",
        "https://evil.com@youtube.com/@a",
        "https://user:password@youtube.com/@a",
        "https://notyoutube.com/@a",
        "https://youtube.com:8080/@a",
        "https://youtube.com:443:80/@a",
        "https://youtube.com:abc/@a",
        "https://youtube.com./@a",
        "https://[youtube.com]/@a",
        "https://[::1",
        "https:youtube.com/@a",
        "//youtube.com/@a",
        "javascript://youtube.com/@a",
        "ftp://youtube.com/@a",
        "file:///youtube.com/@a",
        "data:text/html,youtube.com/@a",
        "https://https://youtube.com/@a",
        "https://youtube.com/@a\x00b",
        "https://you\ttube.com/@a",
        "https://youtube.com/@a\nb",
        "https://youtube.com/@a b",
        "https://youtube.com/@a%00",
        "https://youtube.com/@a%0d%0aHost:x",
        "https://youtube.com/@a%2Fb",
        "https://youtube.com/@a%ff",
        "https://youtube.com/@a\u200bb",
        "https://youtube.com/@a\u202eb",
        "https://youtube.com/@<script>",
        "https://youtube.com/@#about",
        "https://y\u043eutube.com/@a",
        "https://\uff59outube.com/@a",
        "https://youtube\u3002com/@a",
        "https://youtube.com\u2044@a",
        "https://xn--youtube-example.com/@a",
        "https://youtube.com/@" + "a" * 101,
        "https://youtube.com/@" + "a" * 100_000,
        "a" * 100_000,
        "https://" + "youtube.com/" * 10_000,
    ],
)
def test_what_is_not_a_channel_on_youtube_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        parse_channel_url(url)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("youtube.com/@Name", "youtube.com/@nAME"),
        ("youtube.com/@ЖИЗНЬ", "youtube.com/@жизнь"),
        ("youtube.com/c/Name", "youtube.com/c/name"),
        ("youtube.com/user/Name", "youtube.com/user/name"),
        ("youtube.com/@cafe\u0301", "youtube.com/@café"),
    ],
)
def test_a_name_is_one_channel_whatever_its_case(one: str, other: str) -> None:
    first, second = parse_channel_url(one), parse_channel_url(other)

    assert guard_key(first.identifier) == guard_key(second.identifier)


def test_a_channel_id_is_taken_exactly() -> None:
    first, second = (parse_channel_url(f"youtube.com/channel/{text}") for text in ("UCabc", "UCABC"))

    assert guard_key(first.identifier) != guard_key(second.identifier)


def test_kinds_of_names_do_not_collide() -> None:
    handle, custom = parse_channel_url("youtube.com/@name"), parse_channel_url("youtube.com/c/name")

    assert guard_key(handle.identifier) != guard_key(custom.identifier)
