"""Parses uploaded transcripts: plain text, SubRip (SRT) and WebVTT."""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from functions.reading.decoding import decoded
from functions.reading.errors import EmptyTranscript
from functions.reading.transcripts import HANDED_IN, MAX_SECOND, Transcript

ARROW = "-->"
MAX_TIME_LENGTH = 60
TIME_LIKE = re.compile(r"(?:[-+0-9:.,\s]|NaN)*")
"""Matches the times beside the arrow, including malformed ones."""
CLOCK = re.compile(r"(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{1,6})(?:[.,]([0-9]{1,9}))?")
VTT = re.compile(r"WEBVTT(?!\S)")
VTT_BLOCK = re.compile(r"(?:NOTE|STYLE|REGION)(?!\S)")
LANGUAGE = re.compile(r"Language:\s*([A-Za-z0-9-]{2,35})\s*", re.IGNORECASE)

# No pattern crosses the next bracket, which keeps parsing linear in the length of the text.
SEPARATING_TAG = re.compile(r"</?(?:v|br|p|div)(?:[.\s/][^<>]*)?>", re.IGNORECASE)
TAG = re.compile(
    r"</?[a-z][a-z0-9]{0,15}>"
    r"|</?(?:c|i|b|u|s|ruby|rt|lang|font|span|em|strong)[.\s/][^<>]*>"
    r"|<[0-9:.,]{1,20}>"
    r"|\{\\[^{}]*\}",
    re.IGNORECASE,
)
"""Tags with attributes must have a known name, because `P/E <x and growth >y` isn't a tag."""
WORD_TIME = re.compile(r"<[0-9]{1,3}:[0-9:.,]{2,16}>")
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

MAX_ROLLING_LINES = 4
"""Maximum lines that rolling captions show at once."""
MAX_GAP = 0.5
"""Seconds between two cues after which a line counts as gone from the screen."""
TRANSITION = 0.1
"""Cues shorter than this many seconds carry no speech: they only scroll a line up."""

COMMON_IN_ENGLISH = (
    "the and to that it you this with are have they but not be from can about would there my your what just if "
    "it's i'm that's don't you're were been which their when who will more these because i"
)
"""English function words, except those common in other languages too, such as `in`, `for` and `was`."""
ENGLISH_WORDS = frozenset(COMMON_IN_ENGLISH.split())
ENGLISH_SAMPLE, FEWEST_WORDS = 400, 50
MIN_ENGLISH_SHARE = 0.1
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
WORD_CHARACTER = re.compile(r"[^\W_]")


class Line(NamedTuple):
    text: str
    has_word_times: bool
    """True if its words are timed individually, which rolling captions do for new lines only."""


class Cue(NamedTuple):
    start: float | None
    end: float | None
    lines: list[Line]


def read_captions(content: bytes, *, source: str = HANDED_IN) -> Transcript:
    """Parses an uploaded file. Raises NotText if it isn't text, EmptyTranscript if it has no words."""
    text = _with_plain_newlines(decoded(content)).lstrip("\ufeff").strip()
    lines = text.split("\n")
    if VTT.match(text):
        header = list(takewhile(lambda line: line.strip() and not _is_timing(line), lines))
        pieces = _pieces(_cues(lines[len(header) :], is_vtt=True))
        transcript = Transcript.of_pieces(pieces, source, language=_language(header))
    elif any(_is_timing(line) and line.count(":") >= 2 for line in lines):
        transcript = Transcript.of_pieces(_pieces(_cues(lines, is_vtt=False)), source)
    else:
        transcript = Transcript(text, source)
    if not WORD_CHARACTER.search(transcript.text):
        raise EmptyTranscript("There are no words in this transcript.")
    return transcript


def looks_english(text: str) -> bool:
    """True if common English words are as frequent as in English, or if the text is too short to tell."""
    words = [match[0].lower().replace("\u2019", "'") for match in islice(WORD.finditer(text), ENGLISH_SAMPLE)]
    if len(words) < FEWEST_WORDS:
        return True
    return sum(word in ENGLISH_WORDS for word in words) >= MIN_ENGLISH_SHARE * len(words)


def _with_plain_newlines(text: str) -> str:
    # `\r\r\n` occurs in files whose newlines were converted twice.
    return text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")


def _language(header: Iterable[str]) -> str | None:
    return next((match[1] for line in header if (match := LANGUAGE.fullmatch(line))), None)


def _is_timing(line: str) -> bool:
    """True if this is the timing line of a cue, even if its times are malformed."""
    if ARROW not in line:
        return False
    before, _, after = line.partition(ARROW)
    beside = [before.strip(), *after.split(maxsplit=1)[:1]]
    return all(len(time) <= MAX_TIME_LENGTH and TIME_LIKE.fullmatch(time) for time in beside)


def _times(line: str) -> tuple[float | None, float | None]:
    before, _, after = line.partition(ARROW)
    # The cue number may be on the same line; settings such as `align:start` follow the end time.
    start, end = (_second(time) for time in (before.split()[-1:], after.split(maxsplit=1)[:1]))
    return start, end if start is None or end is None or end >= start else None


def _second(time: list[str]) -> float | None:
    match = CLOCK.fullmatch(time[0]) if time else None
    if not match:
        return None
    hours, minutes, seconds, fraction = match.groups(default="0")
    second = int(hours) * 3600 + int(minutes) * 60 + float(f"{seconds}.{fraction}")
    return second if second <= MAX_SECOND else None


def _cues(lines: list[str], *, is_vtt: bool) -> list[Cue]:
    """Returns the cues in file order, preceded by an untimed one for any text before the first.

    A cue extends to the next timing line, so that no text is lost where a blank line would end the cue.
    """
    timings = [index for index, line in enumerate(lines) if _is_timing(line)]
    numbered = bool(timings) and timings[0] > 0 and _is_number(lines[timings[0] - 1])
    cues = []
    for timing, following in pairwise([-1, *timings, len(lines)]):
        end = following
        if following < len(lines) and _is_name(lines, following - 1, is_vtt=is_vtt, numbered=numbered):
            end = following - 1
        body: Iterable[str] = lines[timing + 1 : end]
        spoken = [_line(line) for line in (_without_blocks(body, after_cue=timing >= 0) if is_vtt else body)]
        if any(line.text for line in spoken):
            cues.append(Cue(*(_times(lines[timing]) if timing >= 0 else (None, None)), spoken))
    return cues


def _is_name(lines: list[str], index: int, *, is_vtt: bool, numbered: bool) -> bool:
    """True if the line before the timing line is the cue's number or identifier, not text of the previous cue."""
    if index < 0 or not lines[index].strip() or _is_timing(lines[index]):
        return False
    begins_block = index == 0 or not lines[index - 1].strip()
    return (begins_block and is_vtt) or (_is_number(lines[index]) and (begins_block or numbered))


def _is_number(line: str) -> bool:
    return line.strip().isdecimal()


def _without_blocks(lines: Iterable[str], *, after_cue: bool) -> Iterator[str]:
    """Skips WebVTT comments, styles and regions, which run from one blank line to the next."""
    in_block, after_blank = False, not after_cue
    for line in lines:
        is_blank = not line.strip()
        in_block = not is_blank and (in_block or (after_blank and bool(VTT_BLOCK.match(line))))
        after_blank = is_blank
        if not in_block:
            yield line


def _line(line: str) -> Line:
    has_word_times = False
    if "<" in line or "{" in line:
        has_word_times = bool(WORD_TIME.search(line))
        line = TAG.sub("", SEPARATING_TAG.sub(" ", line))
    if "&" in line:
        line = ENTITY.sub(lambda entity: unescape(entity[0]), line)
    return Line(" ".join(line.split()), has_word_times)


def _pieces(cues: list[Cue]) -> Iterator[tuple[float | None, str]]:
    for cue in _unrolled(_without_copies(_in_order(cues))):
        yield cue.start, " ".join(line.text for line in cue.lines)


def _in_order(cues: list[Cue]) -> list[Cue]:
    """Sorts cues by start; a cue without one stays after its predecessor."""
    keyed = []
    latest = -1.0
    for cue in cues:
        latest = latest if cue.start is None else cue.start
        keyed.append((latest, cue))
    return [cue for _, cue in sorted(keyed, key=lambda each: each[0])]


def _without_copies(cues: list[Cue]) -> list[Cue]:
    """Drops duplicates: some programs write a cue once per layer, all with the same times."""
    seen = set()
    distinct = []
    for cue in cues:
        copy = (cue.start, cue.end, tuple(line.text for line in cue.lines if line.text))
        if cue.start is None or copy not in seen:
            distinct.append(cue)
        seen.add(copy)
    return distinct


def _unrolled(cues: list[Cue]) -> list[Cue]:
    """Drops the lines that rolling captions repeat above each new one.

    In other captions a repeated line was spoken twice, so these are returned unchanged.
    """
    shown_before = [0, *(_lines_shown_before(earlier, cue) for earlier, cue in pairwise(cues))]
    if not cues or not _are_rolling(cues, shown_before):
        return cues
    return [cue._replace(lines=cue.lines[count:]) for cue, count in zip(cues, shown_before, strict=True)]


def _are_rolling(cues: list[Cue], shown_before: list[int]) -> bool:
    repeating = [(cue, count) for cue, count in zip(cues, shown_before, strict=True) if count]
    if 2 * len(repeating) < len(cues) - 1:
        return False
    return any(_moves_up(cue, count) for cue, count in repeating) or any(
        line.has_word_times for cue in cues for line in cue.lines
    )


def _lines_shown_before(earlier: Cue, cue: Cue) -> int:
    """Counts the lines at the top of a cue that repeat the bottom of the previous one."""
    if earlier.end is not None and cue.start is not None and cue.start - earlier.end > MAX_GAP:
        return 0
    old = [line.text for line in earlier.lines if line.text][-MAX_ROLLING_LINES:]
    top = takewhile(lambda line: line.text and not line.has_word_times, cue.lines[:MAX_ROLLING_LINES])
    texts = [line.text for line in top]
    counts = range(min(len(old), len(texts)), 0, -1)
    return next((count for count in counts if old[-count:] == texts[:count]), 0)


def _moves_up(cue: Cue, shown_before: int) -> bool:
    """True if the repeated lines scroll up for new ones, in this cue or, after a transition cue, in the next."""
    if cue.start is not None and cue.end is not None and cue.end - cue.start < TRANSITION:
        return True
    return any(line.text for line in cue.lines[shown_before:])
