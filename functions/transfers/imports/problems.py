"""Problems with a file to import, each with its location, all collected in a single pass."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from functions.runtime.errors import StockTrackRecordError
from functions.runtime.text import cut_to

MAX_SHOWN = 50
MAX_SENTENCE = 500
"""Maximum characters of a complaint or a remark: names in a file may be as long as the file."""
MAX_ECHOED = 60
"""Maximum characters of a value quoted in a complaint."""


@dataclass(frozen=True, slots=True)
class Place:
    file: str
    line: int
    row: int | None = None
    """The row within an INSERT, which has many on one line."""

    def __str__(self) -> str:
        row = f", row {self.row}" if self.row is not None else ""
        return f"{self.file}, line {self.line}{row}"


class FileRefused(StockTrackRecordError):
    """The file cannot be imported, and nothing was written. The complaints are shown to users."""

    def __init__(self, complaints: Sequence[str], number: int | None = None) -> None:
        self.complaints = list(complaints)
        self.number = len(self.complaints) if number is None else number
        super().__init__("\n".join(self.complaints))


@dataclass(slots=True)
class Findings:
    """Complaints, which reject the file, and remarks, which do not."""

    complaints: list[str] = field(default_factory=list)
    """The first complaints."""
    number: int = 0
    """The number of all complaints."""
    remarks: list[str] = field(default_factory=list)

    def complain(self, place: Place | str, sentence: str) -> None:
        self.number += 1
        if len(self.complaints) < MAX_SHOWN:
            self.complaints.append(cut_to(f"{place}: {sentence}", MAX_SENTENCE))

    def remark(self, sentence: str) -> None:
        told = cut_to(sentence, MAX_SENTENCE)
        if told not in self.remarks:
            self.remarks.append(told)

    def require_none(self) -> None:
        if self.number:
            raise FileRefused(self.complaints, self.number)


def shown(value: object) -> str:
    """Formats a value for a complaint."""
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= MAX_ECHOED else f"{text[: MAX_ECHOED - 1]}…"
