"""`python -m local.score`: a channel in, its score out as a table or its calls as CSV."""

import csv
import io
from pathlib import Path

import pytest

from functions.record.models.records import Channel
from functions.record.pipeline.keep_score import keep_score
from local.score import main
from tests.markets import rising, store_benchmark, store_closes
from tests.partitions import partition
from tests.seeds import a_finished_channel, fill


@pytest.fixture
def channel(tables: str) -> Channel:
    store_benchmark()
    store_closes("AAPL", rising)
    return a_finished_channel([("2024-03-01", ("AAPL", "MSFT")), ("2025-06-20", ("AAPL",))])


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_the_score_is_a_row_for_each_horizon(channel: Channel, capsys: pytest.CaptureFixture[str]) -> None:
    keep_score(channel.id)

    lines = printed(capsys, channel.id).splitlines()

    assert lines[0] == f"{channel.name}: calls beside the S&P 500"
    assert lines[1] == "^GSPC, without dividends, to 2025-06-30; method 2.0"
    assert [line.split()[:3] for line in lines[4:]] == [
        ["1w", "2", "0"],
        ["1m", "1", "1"],
        ["3m", "1", "1"],
        ["6m", "1", "1"],
        ["1y", "1", "1"],
    ]


@pytest.mark.parametrize("name", ["id", "url", "name", "part"])
def test_a_channel_is_named_by_id_address_name_or_a_part_of_it(
    channel: Channel, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    text = {"id": channel.id, "url": channel.url, "name": channel.name.upper(), "part": channel.name[:20]}[name]

    assert "This channel has not been scored yet." in printed(capsys, text, "--horizon", "3m")


def test_the_calls_are_printed_as_csv_on_all_pages(channel: Channel, capsys: pytest.CaptureFixture[str]) -> None:
    fill(channel, 150, ("AAPL",), snippet="\uff1dSUM(1, 2)", first=10)

    rows = list(csv.DictReader(io.StringIO(printed(capsys, channel.id, "--csv", "--horizon", "1w"))))

    assert len(rows) == 153
    assert {row["quote"] for row in rows} >= {"'\uff1dSUM(1, 2)", "I am buying AAPL here."}
    assert {row["status"] for row in rows} == {"scored", "unpriced"}
    assert all(float(row["excess_percent"]) > 0 for row in rows if row["status"] == "scored")


@pytest.mark.parametrize("text", ["nobody", "", "@"])
def test_a_channel_that_is_not_there_is_told(channel: Channel, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert main([text]) == 1
    assert f"No channel matches {text!r}: {channel.name} ({channel.id})." in capsys.readouterr().err


def test_of_several_that_match_all_are_named(channel: Channel, capsys: pytest.CaptureFixture[str]) -> None:
    other = a_finished_channel()
    shared = next(letter for letter in channel.name if letter in other.name)

    assert main([shared]) == 1
    error = capsys.readouterr().err
    assert error.startswith("Several channels match")
    assert channel.id in error and other.id in error


@pytest.mark.parametrize("arguments", [["x", "--horizon", "2m"], [], ["x", "y"]])
def test_arguments_that_are_none_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)

    assert stopped.value.code == 2


def test_nothing_is_written(channel: Channel, capsys: pytest.CaptureFixture[str]) -> None:
    before = partition(f"CHANNEL#{channel.id}")

    printed(capsys, channel.id)
    printed(capsys, channel.id, "--csv")

    assert partition(f"CHANNEL#{channel.id}") == before


def test_a_folder_without_data_is_named_and_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mistyped"

    assert main(["Talk", "--data", str(folder)]) == 2

    assert f"{folder} is not a folder with the data of `make run`." in capsys.readouterr().err
    assert not folder.exists()
