"""The layout of what is kept of a score: a text that changes with whatever the reader relies on."""

from dataclasses import fields, make_dataclass
from typing import Annotated, Any

import pytest

from functions.record.models import scores as score_items
from functions.record.models.scores import layout_of
from functions.record.scores import kept as scores
from functions.record.scores.details import Bar
from functions.record.scoring.types import Benchmark, ByKind, EntrySensitivity, KindScore, Scorecard, WithoutBestTicker

BEFORE, AFTER = make_dataclass("Inner", [("mean", float)]), make_dataclass("Inner", [("median", float)])


def holding(kind: Any) -> type:
    return make_dataclass("Outer", [("inner", kind)])


def test_a_layout_is_the_same_for_the_same_fields() -> None:
    assert layout_of(holding(BEFORE)) == layout_of(holding(make_dataclass("Inner", [("mean", float)])))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (BEFORE, AFTER),
        (BEFORE | None, AFTER | None),
        (list[BEFORE], list[AFTER]),  # type: ignore[valid-type]
        (Annotated[list[BEFORE], "described"], Annotated[list[AFTER], "described"]),  # type: ignore[valid-type]
        (holding(BEFORE), holding(AFTER)),
    ],
)
def test_a_layout_changes_with_the_types_inside(before: Any, after: Any) -> None:
    assert layout_of(holding(before)) != layout_of(holding(after))


@pytest.mark.parametrize(
    "kind",
    [Scorecard, Benchmark, ByKind, KindScore, EntrySensitivity, WithoutBestTicker, Bar],
    ids=lambda kind: kind.__name__,
)
def test_the_version_of_a_score_is_another_when_a_part_of_it_is(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    version = scores.version.__wrapped__
    before = version()
    monkeypatch.setattr(score_items, "fields", lambda each: fields(each)[1:] if each is kind else fields(each))

    assert version() != before
