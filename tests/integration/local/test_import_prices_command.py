"""`python -m local.import_prices`: a person's own closes price the calls on a share that no source has."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from functions.record.models.series import PriceProblem, SeriesHeader
from functions.record.prices.calls import price_channel
from functions.record.prices.series import update_series
from functions.record.store.mentions import mentions_of_channel
from functions.record.store.price_series import save_header, whole_series_of
from functions.record.store.stocks import stock_by_ticker
from functions.runtime.clock import seconds_from_now
from functions.runtime.settings import settings
from local import import_prices
from operations import check
from tests.builders import a_channel, commit, in_a_run
from tests.crashes import Crash, crash_at_write
from tests.fakes import RecordingDispatcher
from tests.markets import store_closes

RIDE = """ticker,date,close
RIDE,2021-03-01,17.71
RIDE,2021-03-02,17.05
RIDE,2021-03-03,15.09
"""


@pytest.fixture(autouse=True)
def _own_environment(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command sets the dispatcher for its process."""
    RecordingDispatcher().install(monkeypatch)
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)
    settings.cache_clear()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "closes.csv"
    path.write_text(RIDE)
    return path


def a_call_on(ticker: str, day: str) -> str:
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    commit(run_id, replace(video, published_at=day), ticker, price_at_mention=None)
    price_channel(channel.id)
    return channel.id


def price_in(channel_id: str) -> float | None:
    (mention,) = mentions_of_channel(channel_id)
    return mention.price_at_mention


def header_of(ticker: str) -> SeriesHeader:
    header, _ = whole_series_of(ticker)
    assert header
    return header


def test_the_calls_on_a_dead_share_are_priced(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    channel_id = a_call_on("RIDE", "2021-03-02")

    assert import_prices.main([str(file)]) == 0

    assert capsys.readouterr().out == "RIDE (Lordstown Motors): 3 closes stored, 2021-03-01 to 2021-03-03.\n"
    assert price_in(channel_id) == 17.05
    header, stock = header_of("RIDE"), stock_by_ticker("RIDE")
    assert (header.source, header.problem, header.restating) == ("uploaded", PriceProblem.DELISTED, None)
    assert stock and (stock.last_price, stock.price_as_of) == (15.09, "2021-03-03")
    assert list(check.problems(check.read_everything())) == []


def test_closes_outlast_the_next_check_of_a_source_that_lacks_them(file: Path) -> None:
    channel_id = a_call_on("RIDE", "2021-03-02")
    import_prices.main([str(file)])
    save_header(replace(header_of("RIDE"), source="demo", next_check_at=seconds_from_now(-1)))

    update_series(["RIDE"])

    assert (price_in(channel_id), header_of("RIDE").problem) == (17.05, PriceProblem.DELISTED)
    assert len(whole_series_of("RIDE")[1]) == 3


def test_a_file_can_be_imported_again(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a_call_on("RIDE", "2021-03-02")
    import_prices.main([str(file)])
    version = header_of("RIDE").version
    capsys.readouterr()

    assert import_prices.main([str(file)]) == 0

    assert capsys.readouterr().out == "RIDE: already stored.\n"
    assert header_of("RIDE").version == version


def test_calls_are_priced_after_a_crash(file: Path) -> None:
    channel_id = a_call_on("RIDE", "2021-03-02")
    with crash_at_write(2, "before-call"), pytest.raises(Crash):
        import_prices.main([str(file)])
    assert (len(whole_series_of("RIDE")[1]), price_in(channel_id)) == (3, None)

    assert import_prices.main([str(file)]) == 0

    assert (price_in(channel_id), header_of("RIDE").restating) == (17.05, None)


def test_closes_of_a_source_are_kept_unless_told_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store_closes("AAPL")
    header, known = whole_series_of("AAPL")
    assert header
    save_header(replace(header, source="yahoo"))
    path = tmp_path / "closes.csv"
    path.write_text("ticker,date,close,adjusted_close\nAAPL,2024-03-04,175.1,173.9\n")

    assert import_prices.main([str(path)]) == 0
    kept, said = whole_series_of("AAPL")[1], capsys.readouterr().out
    assert import_prices.main([str(path), "--replace"]) == 0

    assert kept == known
    assert said == (
        f"AAPL: skipped, closes to {header.last_day} from yahoo are stored. Use --replace to replace them.\n"
    )
    replaced = whole_series_of("AAPL")[1]
    assert (replaced.closes, replaced.total_closes) == ((175.1,), (173.9,))


def test_a_reused_ticker_means_the_share_of_the_first_day(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "closes.csv"
    path.write_text("date,ticker,close\n2023-09-01,BBBY,0.2\n2021-01-27,bbby,52.89\n2023-05-02,BBBY,0.08\n")

    assert import_prices.main([str(path)]) == 0

    # The last row is of trading outside the exchanges.
    assert capsys.readouterr().out == "BBBY.OLD (Bed Bath & Beyond Inc.): 2 closes stored, 2021-01-27 to 2023-05-02.\n"
    assert stock_by_ticker("BBBY.OLD") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ticker,close\nRIDE,1\n", "lacks the columns date; it needs ticker, date, close."),
        ("ticker,date,close\n", "has no closes."),
        ("ticker,date,close\nRIDE,02.03.2021,1\n", "Line 2: '02.03.2021' is not a day such as 2023-06-30."),
        ("ticker,date,close\nRIDE,2021-03-02,n/a\n", "Line 2: 'n/a' is not a price."),
        ("ticker,date,close\nRIDE,2021-03-02,-1\n", "uploaded sent -1.0 as the close of 2021-03-02 for RIDE"),
        ("ticker,date,close\nRIDE,2021-03-02,nan\n", "uploaded sent nan as the close of 2021-03-02 for RIDE"),
        ("ticker,date,close\nRIDE,2021-03-02,1\nRIDE,2021-03-02,2\n", "uploaded sent 2021-03-02 twice for RIDE"),
        ("ticker,date,close\nAAPL,2999-01-02,1\n", "uploaded sent 2999-01-02, a day outside"),
        ("ticker,date,close\nNOSUCH,2021-03-02,1\n", "No list of US shares has NOSUCH."),
        ("ticker,date,close\nTWTR,2023-03-02,1\n", "TWTR (Twitter Inc.) left on 2022-10-27, before the first close"),
        ("ticker,date,close\n,2021-03-02,1\n", "No list of US shares has a share without a ticker."),
    ],
)
def test_a_file_with_a_problem_is_refused_as_a_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, problem: str
) -> None:
    path = tmp_path / "closes.csv"
    path.write_text(text + ("GLUU,2021-03-02,12.4\n" if "date" in text and "RIDE" in text else ""))

    assert import_prices.main([str(path)]) == 1

    error = capsys.readouterr().err
    assert problem in error
    assert error.endswith("Nothing was stored.\n")
    assert whole_series_of("GLUU")[0] is None


def test_a_file_or_a_folder_that_is_not_there_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert import_prices.main([str(file.with_name("none.csv"))]) == 1
    assert "none.csv cannot be read: No such file or directory." in capsys.readouterr().err

    assert import_prices.main([str(file), "--data", str(file.parent)]) == 1
    assert "is not a folder with the data of `make run`." in capsys.readouterr().err
