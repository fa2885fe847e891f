"""Learning how clear calls are, from what was right and what was not."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from functions.reading.rules import clarity
from functions.reading.rules.clarity import ALWAYS, TRADE, learned_clarity
from scripts import learn_clarity
from scripts.learn_clarity import Candidate, by_the_others, candidates, learn, report, write
from scripts.train_analyst import folder_examples

TALK = "It was a long week, and hardly anything happened where I live. We went for a walk by the lake. " * 15


def candidate(speaker: str, *, recent: bool, right: bool, weight: float = 1.0) -> Candidate:
    return Candidate(speaker, {ALWAYS: 1.0, "odds": 0.5, "of these days": float(recent)}, right, weight)


GIVEN = [candidate(speaker, recent=recent, right=recent) for speaker in "abc" for recent in (True, False) * 5]


def test_what_is_right_more_often_speaks_for_a_call() -> None:
    learned = learn(GIVEN)

    assert learned["of these days"] > 1
    assert learned[ALWAYS] < 0


def test_what_counts_less_teaches_less() -> None:
    studied = [candidate("d", recent=True, right=False, weight=weight) for weight in (0.01, 1.0) for _ in range(5)]

    little, much = learn([*GIVEN, *studied[:5]]), learn([*GIVEN, *studied[5:]])

    assert little["of these days"] > much["of these days"]


def test_each_speaker_is_read_by_what_the_others_teach() -> None:
    contrary = [candidate("d", recent=recent, right=not recent) for recent in (True, False) * 5]

    read = by_the_others([*GIVEN, *contrary], [])

    of_the_contrary = read[len(GIVEN) :]
    assert all((likely > 0.5) is not right for likely, right in of_the_contrary)


def test_the_table_counts_what_is_right_of_what_is_read() -> None:
    table = report([(0.9, True), (0.6, False), (0.2, True)], due=4).splitlines()

    assert table[1 + learn_clarity.THRESHOLDS.index(0.5)].split() == ["0.50", "0.500", "0.250", "1", "2"]


@pytest.fixture
def clarity_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file of its own to write to and read from."""
    monkeypatch.setattr(learn_clarity, "CLARITY", tmp_path / "clarity.csv")
    monkeypatch.setattr(clarity, "CLARITY", tmp_path / "clarity.csv")
    learned_clarity.cache_clear()
    yield tmp_path / "clarity.csv"
    learned_clarity.cache_clear()


@pytest.mark.usefixtures("clarity_file")
def test_what_is_learned_from_a_folder_is_written_and_read(tmp_path: Path) -> None:
    labels = [
        {"file": "one.txt", "speaker": "a", "calls": [{"ticker": "DE", "sentiment": "buy"}]},
        {"file": "two.txt", "speaker": "b", "calls": [{"ticker": "DE", "sentiment": "mentioned"}]},
    ]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, labels)))
    (tmp_path / "one.txt").write_text(f"{TALK}I bought Deere this morning. Deere is a buy.")
    (tmp_path / "two.txt").write_text(f"{TALK}I bought Deere in a way.")
    given = candidates(list(folder_examples(tmp_path)), TRADE)

    write({TRADE: learn(given)})

    assert [(c.speaker, c.right, c.terms["two phrases"]) for c in given] == [("a", True, 1.0), ("b", False, 0.0)]
    assert learned_clarity()[TRADE].keys() == given[0].terms.keys()


def test_one_speaker_is_too_few_to_learn_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "one.txt", "speaker": "a", "calls": []}))
    (tmp_path / "one.txt").write_text(f"{TALK}I bought Deere this morning.")

    with pytest.raises(SystemExit):
        learn_clarity.main([str(tmp_path)])

    assert "name transcripts of two or more" in capsys.readouterr().err
