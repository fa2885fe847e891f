"""The words of a text that may hold HTML."""

from html.parser import HTMLParser

MAX_READ = 20_000
"""Characters of a text that are looked at: far more than is kept of it."""
_NOT_SHOWN = ("script", "style", "head", "template")


def without_html(text: str) -> str:
    """What a reader of the page would see, with a space where a tag was. Entities become their characters."""
    reader = _Reader()
    reader.feed(text[:MAX_READ])
    reader.close()
    return "".join(reader.words)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attributes: object) -> None:
        self._hidden += tag in _NOT_SHOWN
        self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _NOT_SHOWN and self._hidden:
            self._hidden -= 1
        self.words.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.append(data)
