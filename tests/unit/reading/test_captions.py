"""Transcripts that are handed in as plain text, SubRip or WebVTT."""

import random
import re
import subprocess
import sys
from collections import Counter
from types import FrameType
from typing import Any

import pytest

from functions.reading.analyst import Speech
from functions.reading.captions import looks_english, read_captions
from functions.reading.errors import EmptyTranscript, NotText
from functions.reading.policy import calls_of
from functions.reading.rules import RulesAnalyst
from functions.reading.rules.text import SENTENCE_END
from functions.reading.transcripts import HANDED_IN, Transcript
from functions.record.sources.demo.channels import channels
from tests.soak import times

SRT = """1
00:00:01,000 --> 00:00:03,500
I am buying Apple
this week.

2
00:00:04,000 --> 00:00:06,000
Tesla fell again.
"""
VTT = """WEBVTT

00:01.000 --> 00:03.500
I am buying Apple
this week.

00:04.000 --> 00:06.000
Tesla fell again.
"""
SAID = "I am buying Apple this week. Tesla fell again."
ROLLING = """WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.389 align:start position:0%
 
hello<00:00:00.480><c> everyone</c><00:00:00.880><c> welcome</c>

00:00:02.389 --> 00:00:02.399 align:start position:0%
hello everyone welcome
 

00:00:02.399 --> 00:00:04.710 align:start position:0%
hello everyone welcome
back<00:00:02.600><c> to</c><00:00:02.800><c> the</c><00:00:02.900><c> show</c>

00:00:04.710 --> 00:00:04.720 align:start position:0%
back to the show
 

00:00:04.720 --> 00:00:08.230 align:start position:0%
back to the show
yeah

00:00:08.230 --> 00:00:08.240 align:start position:0%
yeah
 

00:00:08.240 --> 00:00:10.230 align:start position:0%
yeah
yeah

00:00:10.230 --> 00:00:10.240 align:start position:0%
yeah
 

00:01:00.000 --> 00:01:02.230 align:start position:0%
 
yeah

00:01:02.230 --> 00:01:02.240 align:start position:0%
yeah
 

00:01:02.240 --> 00:01:05.000 align:start position:0%
yeah
i<00:01:02.600><c> am</c><00:01:03.000><c> buying</c><00:01:03.500><c> apple</c>
"""
ROLLED_OUT = [
    (0, "hello everyone welcome"),
    (2, "back to the show"),
    (4, "yeah"),
    (8, "yeah"),
    (60, "yeah"),
    (62, "i am buying apple"),
]
MEGABYTES = times(short=1_000_000, long=5_000_000)


def read(text: str) -> Transcript:
    return read_captions(text.encode())


def pieces(transcript: Transcript) -> list[tuple[int, str]]:
    ends = [*transcript.offsets[1:], len(transcript.text) + 1]
    return [
        (second, transcript.text[start : end - 1])
        for second, start, end in zip(transcript.seconds, transcript.offsets, ends, strict=True)
    ]


def srt(*cues: tuple[str, str]) -> str:
    return "\n\n".join(f"{number}\n{times}\n{text}" for number, (times, text) in enumerate(cues, 1))


def without_markup(vtt: str) -> str:
    """As a converter to SubRip leaves it."""
    return re.sub(r"<[^>]*>", "", vtt.partition("\n\n")[2]).replace(" align:start position:0%", "")


def test_plain_text_keeps_its_paragraphs_and_has_no_times() -> None:
    transcript = read("\r\nI am buying Apple\r\nthis week\r\n \r\nTesla fell again\r\n")

    assert transcript == Transcript("I am buying Apple\nthis week\n \nTesla fell again", HANDED_IN)
    assert len(SENTENCE_END.findall(transcript.text)) == 1


def test_an_arrow_makes_no_captions_of_plain_text() -> None:
    said = "Buy --> hold --> sell\n5 --> 6\nAt 10:30 --> I bought Apple."

    assert read(said) == Transcript(said, HANDED_IN)


@pytest.mark.parametrize("text", [SRT, VTT], ids=["srt", "vtt"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r", "\r\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-16-le", "cp1252"])
def test_captions_become_one_text_with_times(text: str, newline: str, encoding: str) -> None:
    transcript = read_captions(text.replace("\n", newline).encode(encoding))

    assert transcript == Transcript(SAID, HANDED_IN, None, (0, 29), (1, 4))


@pytest.mark.parametrize("text", [SRT, VTT], ids=["srt", "vtt"])
@pytest.mark.parametrize("change", [str.strip, lambda text: f"\n\n{text}\n\n\n", lambda text: f"\ufeff{text}"])
def test_blank_lines_at_the_ends_do_not_matter(text: str, change: Any) -> None:
    assert read(change(text)).text == SAID


def test_the_source_is_the_given_one() -> None:
    assert read_captions(b"Words.").source == HANDED_IN
    assert read_captions(b"Words.", source="elsewhere").source == "elsewhere"
    assert read_captions(SRT.encode(), source="elsewhere").source == "elsewhere"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("<i>Buy</i> <b>Apple</b>", "Buy Apple"),
        ("<c.colorE5E5E5>Buy<00:00:01.320><c> Apple</c></c>", "Buy Apple"),
        ("<v Roger Bingham>Buy Apple</v>", "Buy Apple"),
        ("<v Bob>Buy</v><v.loud Al>Apple</v>", "Buy Apple"),
        ("<b>A</b>pple", "Apple"),
        ('<font color="#ffffff">Buy</font> <lang en>Apple</lang>', "Buy Apple"),
        ("Buy<br>Apple<br/>now", "Buy Apple now"),
        (r"{\an8}Buy {\i1}Apple{\i0}", "Buy Apple"),
        ("S&amp;P &lt;500&gt; &#39;now&#x27; AT&T", "S&P <500> 'now' AT&T"),
        ("&amp;lt;i&amp;gt; &lt;i&gt;", "&lt;i&gt; <i>"),
        ("buy&nbsp;Apple", "buy Apple"),
        ("P/E < 15 and growth > 20", "P/E < 15 and growth > 20"),
        ("P/E <x and growth >y {sic}", "P/E <x and growth >y {sic}"),
        ("I <3 Apple", "I <3 Apple"),
        ("he says --> buy Apple", "he says --> buy Apple"),
        (">> Buy Apple [Music]", ">> Buy Apple [Music]"),
        (f"&#{'9' * 5000}; Apple", f"&#{'9' * 5000}; Apple"),
    ],
)
def test_markup_is_no_part_of_the_words(line: str, said: str) -> None:
    assert read(VTT.replace("Tesla fell again.", line)).text == f"I am buying Apple this week. {said}"
    assert read(SRT.replace("Tesla fell again.", line)).text == f"I am buying Apple this week. {said}"


def test_only_the_words_of_webvtt_are_read() -> None:
    transcript = read(
        """WEBVTT - This file has cues.
Kind: captions
Language: en-GB
X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0

STYLE
::cue { color: red }

REGION
id:fred
width:40%

NOTE
This is a comment
of two lines.

intro
00:00:01.000 --> 00:00:02.000 align:start position:0% line:85%
Note that I buy Apple.

NOTE and another comment

2
00:00:03.000 --> 00:00:04.000
NOTEBOOK makers fell.
NOTE this well.

NOTE the end"""
    )

    assert transcript.language == "en-GB"
    assert pieces(transcript) == [(1, "Note that I buy Apple."), (3, "NOTEBOOK makers fell. NOTE this well.")]


@pytest.mark.parametrize("header", ["Language: <script>", "Language:", f"Language: {'x' * 100}", "Kind: captions"])
def test_a_language_that_is_none_is_left_out(header: str) -> None:
    transcript = read(VTT.replace("WEBVTT", f"WEBVTT\n{header}"))

    assert transcript.language is None
    assert transcript.text == SAID


def test_the_styles_of_older_downloads_belong_to_the_header() -> None:
    styles = "WEBVTT\nLanguage: en\nStyle:\n::cue(c.colorE5E5E5) { color: rgb(229,229,229);\n }\n##"

    assert read(VTT.replace("WEBVTT", styles)).text == SAID


def test_a_header_may_end_without_a_blank_line() -> None:
    assert read(VTT.replace("WEBVTT\n\n", "WEBVTT\n")).text == SAID


def test_webvtt_without_times_is_still_read() -> None:
    assert read("WEBVTT\n\nI am buying Apple.") == Transcript("I am buying Apple.", HANDED_IN)


def test_each_line_of_rolling_captions_is_read_once_at_its_own_start() -> None:
    transcript = read(ROLLING)

    assert pieces(transcript) == ROLLED_OUT
    assert transcript.language == "en"


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(without_markup, id="converted-to-srt"),
        pytest.param(lambda text: text.replace("\n \n", "\n\n"), id="spaces-trimmed"),
        pytest.param(lambda text: text.replace("\n", "\r\n"), id="crlf"),
        pytest.param(lambda text: re.sub(r"\n\d[^\n]* --> [^\n]*0 align[^\n]*\n[^\n]+\n \n", "", text), id="no-moves"),
    ],
)
def test_rolling_captions_are_known_after_a_conversion(change: Any) -> None:
    assert pieces(read(change(ROLLING))) == ROLLED_OUT


def test_lines_that_are_only_shown_twice_are_read_once() -> None:
    cues = srt(
        ("00:00:00,160 --> 00:00:02,389", "hello everyone"),
        ("00:00:02,389 --> 00:00:02,399", "hello everyone"),
        ("00:00:02,399 --> 00:00:04,000", "back to the show"),
        ("00:00:04,000 --> 00:00:04,010", "back to the show"),
    )

    assert pieces(read(cues)) == [(0, "hello everyone"), (2, "back to the show")]


def test_captions_that_roll_by_three_lines_are_read_once() -> None:
    lines = [f"line {number}" for number in range(10)]
    cues = [
        (f"00:00:{number:02},000 --> 00:00:{number + 1:02},000", "\n".join(lines[max(0, number - 2) : number + 1]))
        for number in range(10)
    ]

    assert pieces(read(srt(*cues))) == list(enumerate(lines))


def test_what_is_said_twice_is_read_twice() -> None:
    song = [(f"00:00:{number:02},000 --> 00:00:{number + 1:02},000", "Buy, buy, buy.") for number in range(5)]
    talk = srt(
        ("00:00:01,000 --> 00:00:02,000", "Yes."),
        ("00:00:02,000 --> 00:00:03,000", "Yes.\nApple."),
        ("00:00:03,000 --> 00:00:04,000", "Really?"),
        ("00:00:04,000 --> 00:00:05,000", "Of course."),
    )

    assert read(srt(*song)).text == " ".join(["Buy, buy, buy."] * 5)
    assert read(talk).text == "Yes. Yes. Apple. Really? Of course."


def test_a_cue_that_is_there_twice_is_read_once() -> None:
    assert read(SRT + "\n" + SRT).text == SAID


def test_cues_are_read_in_the_order_they_are_said() -> None:
    transcript = read(
        srt(
            ("00:01:00,000 --> 00:01:02,000", "third"),
            ("00:00:10,000 --> 00:00:20,000", "first"),
            ("00:00:15,000 --> 00:00:30,000", "second"),
        )
    )

    assert pieces(transcript) == [(10, "first"), (15, "second"), (60, "third")]


@pytest.mark.parametrize(
    ("times", "second"),
    [
        ("00:00:07,900 --> 00:00:08,000", 7),
        ("00:00:07.900 --> 00:00:08.000", 7),
        ("00:07.900 --> 00:08.000", 7),
        ("0:7 --> 0:8", 7),
        ("  00:00:07,900-->00:00:08,000  X1:100 X2:200", 7),
        ("00:00:07,900 -->", 7),
        ("00:00:07,900 --> 00:00:01,000", 7),
        ("00:90:07,000 --> 00:91:00,000", 5407),
        ("23:59:59,999 --> 24:00:00,000", 86399),
        ("2 00:00:07,900 --> 00:00:08,000", 7),
        ("--> 00:00:08,000", None),
        ("-->", None),
        ("-00:00:07,900 --> 00:00:08,000", None),
        ("999:00:00,000 --> 999:00:01,000", None),
        ("99999999999999999999:00:00,000 --> 1:00:00", None),
        ("NaN:NaN:NaN,NaN --> NaN:NaN:NaN,NaN", None),
        ("00:00 --> 00:00:00:00:00", 0),
        ("٠٠:٠٠:٠١ --> 00:00:08", "text"),  # noqa: RUF001
    ],
)
def test_times_are_read_as_they_are_meant_and_never_fail(times: str, second: int | str | None) -> None:
    transcript = read(f"{SRT}\n3\n{times}\nI hold Coke.\n")

    if second == "text":
        assert transcript.text.endswith("I hold Coke.")
        return
    timed = {text: start for start, text in pieces(transcript)}
    assert Counter(transcript.text.split()) == Counter(f"{SAID} I hold Coke.".split())
    assert timed.get("I hold Coke.") == second


def test_captions_without_a_single_usable_time_are_still_read() -> None:
    broken = re.sub(r"[0-9:,]+ --> [0-9:,]+", "NaN:NaN:NaN,NaN --> NaN:NaN:NaN,NaN", SRT)

    assert read(broken) == Transcript(SAID, HANDED_IN)


def test_a_piece_without_a_time_stays_where_it_is() -> None:
    transcript = read(
        srt(
            ("00:00:10,000 --> 00:00:11,000", "second"),
            ("--> 00:00:12,000", "third"),
            ("00:00:01,000 --> 00:00:02,000", "first"),
        )
    )

    assert transcript.text == "first second third"
    assert transcript.seconds == (1, 10)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(SRT.replace("\n\n", "\n"), id="no-blank-lines"),
        pytest.param(SRT.replace("this week.", "\nthis week."), id="blank-line-within"),
        pytest.param(SRT.replace("3,500\n", "3,500\n\n"), id="blank-line-after-times"),
        pytest.param(re.sub(r"(?m)^\d\n", "", SRT), id="no-numbers"),
        pytest.param(re.sub(r"(?m)^\d\n", "7\n", SRT), id="one-number-for-all"),
        pytest.param(VTT.replace("00:04", "a name\n00:04"), id="name"),
        pytest.param(VTT.replace("this week.", "\nthis week."), id="blank-line-within-vtt"),
        pytest.param(VTT.replace("week.\n\n", "week.\n"), id="no-blank-line-in-vtt"),
    ],
)
def test_loose_files_are_read_like_tidy_ones(text: str) -> None:
    assert pieces(read(text)) == [(1, "I am buying Apple this week."), (4, "Tesla fell again.")]


def test_numbers_that_are_said_are_kept() -> None:
    spoken = srt(("00:00:01,000 --> 00:00:02,000", "How many?"), ("00:00:03,000 --> 00:00:04,000", "42\n7"))

    assert read(spoken + "\n\n3\n00:00:05,000 --> 00:00:06,000\n100").text == "How many? 42 7 100"
    assert read(VTT.replace("Tesla fell again.", "42") + "\n00:07.000 --> 00:08.000\nno").text.endswith("42 no")


def test_words_before_the_first_cue_are_kept() -> None:
    assert read(f"Downloaded by me\n\n{SRT}").text == f"Downloaded by me {SAID}"


@pytest.mark.parametrize(
    "content",
    [b"", b" \n\t\r\n", b"WEBVTT", b"WEBVTT\n\nNOTE nothing\n", b"1\n00:00:01,000 --> 00:00:02,000\n\n", b"... --- ?!"],
)
def test_a_transcript_without_words_is_told(content: bytes) -> None:
    with pytest.raises(EmptyTranscript, match="no words"):
        read_captions(content)


def test_what_is_no_text_is_told() -> None:
    with pytest.raises(NotText, match="PDF"):
        read_captions(b"%PDF-1.4 words")


def test_random_cues_lose_no_word_and_double_none() -> None:
    dice = random.Random(7)
    for _ in range(200):
        words = [f"word{number}" for number in range(30)]
        cues = []
        while words:
            lines = [" ".join(words.pop() for _ in range(min(len(words), dice.randint(1, 3)))) for _ in range(2)]
            start = dice.randint(-5, 50)
            cues.append((f"{start}:00,{dice.randint(0, 999)} --> {dice.randint(0, 50)}:00,000", "\n".join(lines)))

        transcript = read(srt(*cues))

        assert sorted(transcript.text.split()) == sorted(f"word{number}" for number in range(30))
        assert list(transcript.seconds) == sorted(transcript.seconds)


def test_random_bytes_never_fail_in_another_way() -> None:
    dice = random.Random(11)
    parts = [
        b"\n",
        b"\r",
        b"\n\n",
        b"-->",
        b" --> ",
        b"00:00:01,000",
        b"<c>",
        b"<",
        b">",
        b"&amp;",
        b"WEBVTT",
        b"1",
        b"a",
    ]
    parts += [b"NOTE", b"\xff", b"\x00", b"{\\", b"}", b"-", b":", b"\xe2\x80", b"00:00:01.000 --> 00:00:02.000\n"]
    for _ in range(2000):
        content = b"".join(dice.choices(parts, k=dice.randint(1, 40)))

        try:
            transcript = read_captions(content)
        except (NotText, EmptyTranscript):
            continue
        assert transcript.text.strip() == transcript.text
        assert list(transcript.offsets) == sorted(set(transcript.offsets))


def steps(content: bytes) -> int:
    """Lines of code that run for a file."""
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        counted += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        read_captions(content)
    finally:
        sys.settrace(before)
    return counted


HOSTILE = [
    "<c.",
    "<",
    "</v ",
    "{\\",
    "&amp;",
    "&#",
    "-->\n",
    "00:00:01.000 --> 00:00:02.000\n",
    "00:00:01.000 --> 00:00:02.000\nsame\n\n",
    "00:00:01.000 --> 00:00:02.000\nsame\nsame\nsame\nsame\nsame\n\n",
    "same\n",
    "\n",
    "1\n",
    "NOTE\n",
    "00:",
    " ",
    "--> ",
    "NaN",
    "<00:00:01.000>",
]


@pytest.mark.parametrize("part", HOSTILE)
@pytest.mark.parametrize(
    "begin", ["words\n", "WEBVTT\n\nwords\n\n", "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nwords\n"]
)
def test_work_grows_in_proportion_to_the_file(begin: str, part: str) -> None:
    some, more = (steps((begin + part * count).encode()) for count in (200, 800))

    assert more < 5 * some


@pytest.mark.parametrize("part", HOSTILE)
def test_megabytes_of_nonsense_are_read_to_the_end(part: str) -> None:
    begin = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nApple\n"

    transcript = read((begin + part * (MEGABYTES // len(part)))[:MEGABYTES])

    assert transcript.text.startswith("Apple")


def test_the_analyst_s_quotes_lead_to_their_seconds() -> None:
    transcript = read(SRT.replace("Tesla fell again.", "I sold my Tesla shares."))

    found = {call.ticker: call.context for call in calls_of(RulesAnalyst().analyse(Speech(transcript.text)).statements)}

    assert transcript.second_at(transcript.text.index(found["AAPL"])) == 1
    assert transcript.second_at(transcript.text.index(found["TSLA"])) == 4


ENGLISH = "so what I think about this stock is that you should not buy it, and I'm going to tell you why. " * 5
OTHERS = {
    "German": "ich denke dass man die Aktie jetzt nicht kaufen sollte, und ich sage euch auch warum das so ist. " * 5,
    "French": "je pense que ce n'est pas le moment d'acheter cette action et je vais vous dire pourquoi. " * 5,
    "Spanish": "yo creo que no es el momento de comprar esta acción y os voy a decir por qué en este video. " * 5,
    "Dutch": "ik denk dat je het aandeel nu niet moet kopen, en ik zal je vertellen waarom dat zo is. " * 5,
    "Danish": "jeg tror ikke at man skal købe aktien nu, og jeg vil fortælle jer hvorfor det er for dyrt. " * 5,
    "Portuguese": "eu acho que não é o momento de comprar esta ação e vou dizer a vocês por que isso é assim. " * 5,
    "Hindi": "मुझे लगता है कि यह शेयर अभी नहीं खरीदना चाहिए और मैं आपको बताऊँगा कि क्यों । " * 8,
    "Russian": "я думаю что эту акцию сейчас не стоит покупать и я расскажу вам почему это так. " * 8,
}


def test_english_is_told_from_other_languages() -> None:
    assert looks_english(ENGLISH)
    assert looks_english(ENGLISH.upper().replace("'", "\u2019"))
    assert [language for language, text in OTHERS.items() if looks_english(text)] == []


def test_the_demo_is_in_english() -> None:
    texts = [text for channel in channels() for text in channel.transcripts.values()]

    assert all(looks_english(text) for text in texts)


@pytest.mark.parametrize("text", ["", "Guten Tag", " ".join(["Aktie"] * 49)])
def test_a_text_of_few_words_counts_as_english(text: str) -> None:
    assert looks_english(text)


def test_only_the_beginning_is_looked_at() -> None:
    assert looks_english(ENGLISH * 10 + OTHERS["German"] * 100)
    assert not looks_english(OTHERS["German"] * 10 + ENGLISH * 100)


def test_reading_captions_loads_no_package() -> None:
    program = (
        "import sys\n"
        "import functions.reading.captions\n"
        "print([name for name in ('requests', 'boto3', 'pydantic', 'xml', 'email') if name in sys.modules])"
    )

    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == "[]"
