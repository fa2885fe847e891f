"""One form for the address of a story."""

import pytest

from functions.news.plain_text import without_html
from functions.news.urls import normalised_url, url_digest

STORY = "https://example.com/a/story?id=7&page=2"


@pytest.mark.parametrize(
    "other",
    [
        "http://example.com/a/story?id=7&page=2",
        "https://www.EXAMPLE.com:443/a/story/?page=2&id=7#comments",
        "https://example.com./a/story?utm_source=x&id=7&UTM_Medium=y&page=2&fbclid=z&guce_referrer=a&.tsrc=rss",
    ],
)
def test_another_way_to_a_story_is_the_same_story(other: str) -> None:
    assert url_digest(other) == url_digest(STORY)


@pytest.mark.parametrize(
    "other",
    ["https://example.com/a/story?id=8&page=2", "https://example.com/A/story?id=7&page=2", "https://a.example.com/"],
)
def test_other_stories_differ(other: str) -> None:
    assert url_digest(other) != url_digest(STORY)


def test_names_of_other_scripts_are_written_as_dns_has_them() -> None:
    assert normalised_url("https://müller.example/Über") == "https://xn--mller-kva.example/Über"
    with pytest.raises(ValueError):
        normalised_url("https://example.com:port/")


def test_an_address_of_ipv6_keeps_its_brackets() -> None:
    once = normalised_url("https://[2001:DB8::1]:8443/story/")
    assert once == "https://[2001:db8::1]:8443/story"
    assert normalised_url(once) == once
    assert url_digest("https://[2001:db8::1]/story") == url_digest("http://[2001:db8::1]:80/story")


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<p>Shares&nbsp;of <b>Apple</b> rose</p>", "Shares of Apple rose"),
        ("a<script>alert(1)</script>b<style>p{}</style>c", "a b c"),
        ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
        ("&lt;b&gt;", "<b>"),
        ("Apple <![foo[x", "Apple"),
        ("Apple <!-- <script> -->rises", "Apple rises"),
        ("<a title='5 > 4'>Apple</a> rises", "Apple rises"),
        ("Apple <b", "Apple"),
        (f"Apple &#{'9' * 5_000}; rises", "Apple rises"),
    ],
)
def test_html_is_removed(html: str, words: str) -> None:
    assert " ".join(without_html(html).split()) == words
