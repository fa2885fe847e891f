"""Who is asking, and what each person has chosen: their own over the defaults over what is built in."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from functions.people.user_store import record_visit, user_by_id, users_by_email
from functions.record.models.people import PersonalSettings
from functions.routes import find_route
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.settings import settings
from local.entities import put_entities
from operations import defaults, user
from tests.events import Response, api_event, call, invoke

pytestmark = pytest.mark.usefixtures("tables")
InThreads = Callable[[int, Callable[[int], object]], list[object]]
BUILT_IN = {"horizon": "3m", "cost_bps": 10.0, "review_below": 0.7, "benchmark": "^GSPC", "own": [], "version": 0}
FOLLOWING = {"horizon": None, "cost_bps": None, "review_below": None, "benchmark": None}


def as_person(claims: dict[str, Any], method: str, path: str, body: dict[str, Any] | None = None) -> Response:
    route = find_route(method, path)
    assert route
    event = api_event(method, path, body=json.dumps(body) if body else None)
    event["requestContext"]["authorizer"] = {"jwt": {"claims": claims}} if claims else {"lambda": {}}
    return invoke(route, event)


def put(version: int, **choices: Any) -> Response:
    return call("PUT", "/api/settings", json_body={**FOLLOWING, "version": version, **choices})


class TestMe:
    def test_is_the_one_api_gateway_names(self) -> None:
        local = call("GET", "/api/me", headers={"X-User": "mallory"})
        owner = as_person({}, "GET", "/api/me")
        ann = as_person({"sub": "auth0|ann", "email": "Ann@Example.com"}, "GET", "/api/me")

        assert local.json() == {**local.json(), "user_id": "local", "email": None}
        assert (owner.json()["user_id"], owner.json()["email"]) == ("owner", None)
        assert (ann.json()["user_id"], ann.json()["email"]) == ("auth0|ann", "Ann@Example.com")
        assert ann.headers["cache-control"] == "no-store"

    def test_is_written_once_an_hour_at_the_most_and_keeps_the_first_visit(self) -> None:
        days_ago, minutes_ago = seconds_from_now(-3 * 86400), seconds_from_now(-600)
        record_visit("ann", None, days_ago)

        later = record_visit("ann", None, minutes_ago)
        again = record_visit("ann", None, now())

        assert (later.first_seen_at, later.last_seen_at) == (days_ago, minutes_ago)
        assert again == later == user_by_id("ann")

    def test_of_first_visits_at_once_is_one(self, concurrent_tables: str, in_threads: InThreads) -> None:
        seen = in_threads(8, lambda number: record_visit("ann", "ann@example.com", seconds_from_now(number)))

        assert {repr(each) for each in seen} == {repr(user_by_id("ann"))}

    def test_is_one_request(self, requests_made: Counter[str]) -> None:
        for _ in range(2):
            assert call("GET", "/api/me").status == 200

        assert requests_made == {"UpdateItem": 2}

    def test_is_found_by_an_address_in_any_case_and_by_the_newest_alone(self) -> None:
        for subject, email in (("ann", "Ann@Example.com"), ("other|ann", "ann@example.com"), ("bob", "bob@x.org")):
            record_visit(subject, email, now())

        record_visit("bob", "robert@x.org", now())
        record_visit("bob", None, seconds_from_now(7200))

        assert {each.user_id for each in users_by_email("ANN@example.COM")} == {"ann", "other|ann"}
        assert users_by_email("bob@x.org") == []
        assert [each.email for each in users_by_email("Robert@x.org")] == ["robert@x.org"]

    def test_is_printed_for_operators(self, capsys: pytest.CaptureFixture[str]) -> None:
        record_visit("auth0|ann", "ann@example.com", "2026-01-01T00:00:00.000Z")

        assert [user.main(["ANN@example.com"]), user.main(["auth0|ann"]), user.main(["nobody"])] == [0, 0, 1]

        line = "auth0|ann  ann@example.com  first seen 2026-01-01T00:00:00.000Z, last seen 2026-01-01T00:00:00.000Z\n"
        assert capsys.readouterr().out == line * 2


class TestSettings:
    def test_of_somebody_new_are_built_in(self) -> None:
        assert call("GET", "/api/settings").json() == BUILT_IN

    def test_are_ones_own_over_the_defaults(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert defaults.main(["horizon=6m", "cost_bps=25"]) == 0

        saved = put(0, cost_bps=5, review_below=0.85)

        expected = {
            **BUILT_IN,
            **{"horizon": "6m", "cost_bps": 5.0, "review_below": 0.85},
            **{"own": ["cost_bps", "review_below"], "version": 1},
        }
        assert saved.json() == call("GET", "/api/settings").json() == expected
        assert as_person({"sub": "somebody else"}, "GET", "/api/settings").json()["cost_bps"] == 25.0
        assert put(1).json() == {**BUILT_IN, "horizon": "6m", "cost_bps": 25.0, "version": 2}

    def test_of_an_old_version_are_refused_with_what_is_stored(self) -> None:
        put(0, horizon="1y")

        refused = put(0, horizon="1w")

        assert refused.status == 409
        assert refused.json() == {
            "detail": "The settings have been changed meanwhile: their version is 1. Read them again.",
            "present": {**BUILT_IN, "horizon": "1y", "own": ["horizon"], "version": 1},
        }
        assert call("GET", "/api/settings").json() == refused.json()["present"]

    def test_sent_again_after_a_lost_response_are_the_same(self) -> None:
        first, again = put(0, cost_bps=0.00004), put(0, cost_bps=0.00004)

        assert (again.status, again.json()) == (200, first.json())
        assert first.json()["cost_bps"] == 0.0

    def test_of_edits_at_once_one_is_kept(self, concurrent_tables: str, in_threads: InThreads) -> None:
        saved = in_threads(6, lambda number: put(0, cost_bps=number + 1).status)

        assert sorted(map(str, saved)) == ["200", *["409"] * 5]
        assert call("GET", "/api/settings").json()["version"] == 1

    def test_take_only_the_benchmark_in_use(self) -> None:
        assert put(0, benchmark="^GSPC").json()["own"] == ["benchmark"]

        refused = put(1, benchmark="SPY")

        (problem,) = refused.json()["detail"]
        assert (refused.status, problem["loc"], problem["input"]) == (422, ["body", "benchmark"], "SPY")
        assert problem["msg"] == "All scores are measured against ^GSPC: no other can be chosen."

    def test_of_an_earlier_release_or_price_source_follow_the_default(self) -> None:
        put_entities([PersonalSettings(user_id="local", version=4, horizon="2d", benchmark="SPY", cost_bps=1)])

        assert call("GET", "/api/settings").json() == {**BUILT_IN, "cost_bps": 1.0, "own": ["cost_bps"], "version": 4}

    @pytest.mark.parametrize(
        "wrong",
        [
            {"horizon": "2m"},
            {"cost_bps": -1},
            {"cost_bps": 10_001},
            {"cost_bps": "5"},
            {"cost_bps": True},
            {"review_below": 1.01},
            {"benchmark": 1},
            {"version": -1},
            {"version": None},
        ],
    )
    def test_of_another_shape_are_refused(self, wrong: dict[str, Any]) -> None:
        assert call("PUT", "/api/settings", json_body={**FOLLOWING, "version": 0, **wrong}).status == 422

    def test_take_the_smallest_number_that_json_holds(self) -> None:
        assert put(0, cost_bps=5e-324, review_below=5e-324).json()["cost_bps"] == 0.0

    def test_take_the_threshold_of_the_deployment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REVIEW_BELOW", "0.6")
        settings.cache_clear()

        assert call("GET", "/api/settings").json()["review_below"] == 0.6


class TestDefaults:
    def test_are_shown_set_and_taken_back(self, capsys: pytest.CaptureFixture[str]) -> None:
        for arguments in ([], ["horizon=1y", "review_below=0.8"], ["horizon="]):
            assert defaults.main(arguments) == 0

        shown = capsys.readouterr().out.split("benchmark=\n")
        assert shown == [
            "horizon=\ncost_bps=\nreview_below=\n",
            "horizon=1y\ncost_bps=\nreview_below=0.8\n",
            "horizon=\ncost_bps=\nreview_below=0.8\n",
            "",
        ]

    @pytest.mark.parametrize(
        "wrong",
        [
            "horizon=2m",
            "cost_bps=-1",
            "cost_bps=nan",
            "review_below=2",
            "review_below=x",
            "benchmark=X",
            "theme=1",
            "x",
        ],
    )
    def test_that_cannot_be_used_are_refused_in_a_sentence(
        self, wrong: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert defaults.main(["cost_bps=5", wrong]) == 1

        assert capsys.readouterr().err.strip().endswith(".")
        assert call("GET", "/api/settings").json() == BUILT_IN
