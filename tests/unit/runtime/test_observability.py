"""Log lines: JSON for CloudWatch, one readable line for people, and no text from outside that breaks either."""

import io
import json
import os
from collections.abc import Callable

import pytest

from functions.runtime.errors import InvalidSetting
from functions.runtime.observability import as_json, as_text, logger
from functions.runtime.settings import Settings, settings

HOSTILE = "NVDA\n2026-01-01 00:00:00 ERROR forged\r\x1b[31m\u2028\u202eevil\x00"
UseFormat = Callable[[str], None]


@pytest.fixture
def use_format(monkeypatch: pytest.MonkeyPatch) -> UseFormat:
    def use(log_format: str) -> None:
        monkeypatch.setenv("LOG_FORMAT", log_format)
        settings.cache_clear()

    return use


def test_people_get_the_time_the_level_the_message_and_the_fields(
    use_format: UseFormat, written_log: io.StringIO
) -> None:
    use_format("text")

    logger.warning("The run failed. There is no channel @typo.", channel_id="c1", run_id="r1")

    (line,) = written_log.getvalue().splitlines()
    time, rest = line[:19], line[19:]
    assert time[10] == " " and time[13] == ":"
    assert rest == " WARNING The run failed. There is no channel @typo. (channel_id=c1 run_id=r1)"


def test_people_get_the_traceback_of_a_surprise_below_its_line(use_format: UseFormat, written_log: io.StringIO) -> None:
    use_format("text")

    try:
        raise KeyError(HOSTILE)
    except KeyError:
        logger.exception("Step failed")

    first, *traceback = written_log.getvalue().splitlines()
    assert " ERROR Step failed" in first
    assert traceback[0].strip().startswith("Traceback")
    assert "KeyError" in traceback[-1]
    assert all(line.startswith("    ") for line in traceback)


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_nothing_from_outside_ends_a_line_or_reaches_the_terminal(
    use_format: UseFormat, written_log: io.StringIO, log_format: str
) -> None:
    use_format(log_format)

    logger.warning("No price of %s", HOSTILE, ticker=HOSTILE)
    try:
        raise OSError(HOSTILE)
    except OSError:
        logger.exception("It failed: %s", HOSTILE)

    written = written_log.getvalue()
    starts = [line for line in written.split("\n") if line and not line.startswith("    ")]
    assert len(starts) == 2
    assert all(line.isprintable() for line in written.split("\n"))


@pytest.mark.parametrize("write", [as_text, as_json])
def test_half_a_character_can_be_written(write: Callable[[dict[str, str]], str]) -> None:
    line = write({"timestamp": "2026-01-01 00:00:00,000", "level": "INFO", "message": "half \ud800"})

    assert line.isprintable() and line.encode()
    assert "\\ud800" in line


def test_machines_get_json(use_format: UseFormat, written_log: io.StringIO) -> None:
    use_format("json")

    logger.error("It failed", run_id="r1")

    line = json.loads(written_log.getvalue())
    assert (line["level"], line["message"], line["run_id"]) == ("ERROR", "It failed", "r1")


@pytest.mark.parametrize(
    ("environment", "log_format"),
    [
        ({}, "text"),
        ({"AWS_LAMBDA_FUNCTION_NAME": "x"}, "json"),
        ({"LOG_FORMAT": "json"}, "json"),
        ({"LOG_FORMAT": "text", "AWS_LAMBDA_FUNCTION_NAME": "x"}, "text"),
    ],
)
def test_lambda_writes_json_and_everything_else_text_unless_told_otherwise(
    environment: dict[str, str], log_format: str
) -> None:
    assert Settings.from_environment(environment).log_format == log_format


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="LOG_FORMAT must be one of text, json, not 'xml'"):
        Settings.from_environment({"LOG_FORMAT": "xml"})


def test_the_tests_themselves_read_json() -> None:
    assert os.environ["LOG_FORMAT"] == "json"
