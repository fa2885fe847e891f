"""The rights of each role, walked over HTTP with JWTs: a reader, two editors, an admin, and somebody not signed in."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from joserfc.jwk import RSAKey

from functions.routes import ROUTES
from functions.runtime.caller import Role
from tests.fakes import eventually
from tests.issuer import Issuer, issuer
from tests.local_server import LocalServer, running_server

PEOPLE: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "rita": ((), {"email": "rita@example.com", "name": "Rita"}),
    "anna@example.com": (("editor",), {"name": "Anna"}),
    "ben": (("editor", "others"), {}),
    "ada": (("admin",), {"name": "Ada"}),
}
RITA, ANNA, BEN, ADA = PEOPLE


class People:
    """Requests of each person; None is somebody who is not signed in."""

    def __init__(self, server: LocalServer, issuing: Issuer) -> None:
        self.server = server
        self._tokens = {name: issuing.token(name, *groups, **claims) for name, (groups, claims) in PEOPLE.items()}

    def ask(self, person: str | None, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        token = {"Authorization": f"Bearer {self._tokens[person]}"} if person else {}
        return httpx.request(
            method, self.server.base_url + path, json=body, headers={**token, **headers}, trust_env=False, timeout=60
        )

    def get(self, person: str | None, path: str) -> Any:
        return self.ask(person, "GET", path).raise_for_status().json()


@pytest.fixture(scope="module")
def issuing() -> Iterator[Issuer]:
    with issuer() as issuing:
        yield issuing


@pytest.fixture(scope="module")
def people(scored_demo: Path, tmp_path_factory: pytest.TempPathFactory, issuing: Issuer) -> Iterator[People]:
    with ExitStack() as stack:
        settings = {**issuing.settings("jwt"), "LIMITS": "notes=2,plans=1", "DEMO_PAUSE_SECONDS": "0.3"}
        server = stack.enter_context(
            running_server(tmp_path_factory.mktemp("roles"), scored_demo, POWERTOOLS_LOG_LEVEL="INFO", **settings)
        )
        yield People(server, issuing)


@pytest.fixture(scope="module")
def channels(people: People) -> list[str]:
    return [each["id"] for each in people.get(None, "/api/channels?limit=10")["items"]]


def path_of(route_path: str) -> str:
    return route_path.replace("{channel_id}", "no-such-channel").replace("{", "").replace("}", "")


@pytest.mark.parametrize("route", [route for route in ROUTES if route.role], ids=lambda route: route.module)
def test_each_route_asks_for_its_role(people: People, route: Any) -> None:
    path = path_of(route.path)

    stranger = people.ask(None, route.method, path)
    refused = [name for name in PEOPLE if people.ask(name, route.method, path, {}).status_code == 403]

    assert stranger.status_code == 401
    assert refused == {Role.READER: [], Role.EDITOR: [RITA], Role.ADMIN: [RITA, ANNA, BEN]}[route.role]


def test_a_refusal_names_the_role_that_is_needed(people: People) -> None:
    refused = people.ask(RITA, "POST", "/api/channels", {"url": "https://www.youtube.com/@someone"})

    assert refused.status_code == 403
    assert refused.json()["detail"].startswith("This needs the role editor, and yours is reader.")


def test_everyone_may_ask_who_they_are(people: People) -> None:
    found = {name: people.get(name, "/api/me") for name in PEOPLE}

    assert {name: (me["user_id"], me["role"], me["name"]) for name, me in found.items()} == {
        RITA: (RITA, "reader", "Rita"),
        ANNA: (ANNA, "editor", "Anna"),
        BEN: (BEN, "editor", None),
        ADA: (ADA, "admin", "Ada"),
    }


@pytest.mark.parametrize("wrong", ["signature", "issuer", "audience", "expired", "unsigned", "subject", "nonsense"])
def test_a_token_that_is_not_valid_lets_nobody_in(people: People, issuing: Issuer, wrong: str) -> None:
    forged = RSAKey.generate_key(2048, {"kid": "first"}, auto_kid=False)
    token = {
        "signature": issuing.token(ADA, "admin", key=forged),
        "issuer": issuing.token(ADA, "admin", iss="http://127.0.0.1:1"),
        "audience": issuing.token(ADA, "admin", aud="another"),
        "expired": issuing.token(ADA, "admin", exp=1),
        "unsigned": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ.",
        "subject": issuing.token("", "admin"),
        "nonsense": "nonsense",
    }[wrong]

    response = people.ask(None, "GET", "/api/me", Authorization=f"Bearer {token}")

    assert response.status_code == (403 if wrong == "subject" else 401)


def test_only_its_creator_or_an_admin_cancels_a_plan(people: People, channels: list[str]) -> None:
    tasks: list[dict[str, Any]] = [{"key": "a", "kind": "reread", "channel_id": channels[0]}]
    tasks += [{"key": "b", "kind": "score", "channel_id": channels[0], "depends_on": ["a"]}]
    made = people.ask(ANNA, "POST", "/api/plans", {"name": "Anna's", "tasks": tasks}).raise_for_status().json()
    path = f"/api/plans/{made['id']}"

    too_many = people.ask(ANNA, "POST", "/api/plans", {"name": "Another", "tasks": tasks})
    others = people.ask(BEN, "POST", f"{path}/cancel")
    admins = people.ask(ADA, "POST", f"{path}/cancel")

    assert (too_many.status_code, too_many.json()["detail"][:22]) == (429, "You have 1 open plans,")
    assert others.status_code == 403
    assert others.json()["detail"] == "Only the person who created this plan, or an admin, may cancel it"
    assert (admins.status_code, admins.json()["created_by"]) == (200, ANNA)
    # Once it has ended there is room for another.
    eventually(lambda: people.get(None, path)["status"] == "cancelled")
    again = people.ask(ANNA, "POST", "/api/plans", {"name": "Another", "tasks": tasks})
    assert again.status_code == 201
    assert people.ask(ANNA, "POST", f"/api/plans/{again.json()['id']}/cancel").status_code == 200
    eventually(lambda: people.get(None, f"/api/channels/{channels[0]}")["status"] in ("completed", "cancelled"))


def test_only_its_starter_or_an_admin_cancels_a_run(people: People, channels: list[str]) -> None:
    path = f"/api/channels/{channels[1]}"
    for cancels, status in ((BEN, 403), (ANNA, 200)):
        begun = people.ask(ANNA, "POST", f"{path}/process", {"reread": True})
        if begun.status_code == 200:
            assert people.ask(cancels, "POST", f"{path}/cancel").status_code == status
    eventually(lambda: people.get(None, path)["status"] in ("completed", "cancelled"))


def test_only_the_reviewer_or_an_admin_withdraws_a_review(people: People, channels: list[str]) -> None:
    (call, *_) = people.get(None, f"/api/channels/{channels[2]}/calls?limit=1")["items"]
    path = f"/api/channels/{channels[2]}/videos/{call['video_id']}/calls/{call['ticker']}"
    assert people.ask(ANNA, "PUT", path, {"review": "confirmed"}).status_code == 200

    withdrawn = people.ask(BEN, "PUT", path, {"review": None})
    overruled = people.ask(BEN, "PUT", path, {"review": "rejected"})

    assert (withdrawn.status_code, overruled.status_code) == (403, 403)
    # Nobody who is not signed in sees a subject.
    assert people.get(None, path)["review"]["reviewed_by"] == "Anna"
    changes = people.get(None, f"/api/channels/{channels[2]}/changes")["items"]
    assert changes[0]["changed_by"] == "Anna"
    assert people.ask(ADA, "PUT", path, {"review": None}).status_code == 200


def test_a_person_without_a_display_name_is_nobody_to_strangers(people: People, channels: list[str]) -> None:
    tasks = [{"key": "a", "kind": "score", "channel_id": channels[2]}]
    made = people.ask(BEN, "POST", "/api/plans", {"name": "Ben's", "tasks": tasks}).raise_for_status().json()

    seen = people.get(None, f"/api/plans/{made['id']}")

    assert (made["created_by"], seen["created_by"]) == (BEN, None)
    texts = [people.ask(None, "GET", path).text for path in ("/api/plans", "/api/runs", "/openapi.json")]
    assert not any("@example.com" in text for text in texts)


def test_notes_are_limited(people: People, channels: list[str]) -> None:
    path = f"/api/channels/{channels[2]}/stocks/AAPL/notes"
    statuses = [people.ask(BEN, "POST", path, {"text": "Hm"}).status_code for _ in range(3)]
    refused = people.ask(BEN, "POST", path, {"text": "Hm"}).json()["detail"]

    assert statuses == [201, 201, 429]
    assert refused == "You can add 2 notes a day. Go on tomorrow (UTC), or ask an admin to raise the limit."
    # The limits of admins are others.
    assert [people.ask(ADA, "POST", path, {"text": "Hm"}).status_code for _ in range(3)] == [201] * 3


def test_who_deleted_what_is_known_afterwards(people: People, channels: list[str]) -> None:
    path = f"/api/channels/{channels[2]}"
    name = people.get(None, path)["name"]
    assert people.ask(ADA, "DELETE", path).status_code == 204

    (entry,) = [
        each for each in people.get(ADA, "/api/audit?limit=100")["items"] if each["action"] == "channel_deleted"
    ]

    assert (entry["subject"], entry["name"], entry["target"]) == (ADA, "Ada", path)
    assert entry["detail"].startswith(name)
    first = people.get(ADA, "/api/audit?limit=1")
    assert people.get(ADA, f"/api/audit?limit=1&nextToken={first['nextToken']}")["items"] != first["items"]


def test_the_log_names_the_subject(people: People) -> None:
    people.get(RITA, "/api/settings")

    eventually(lambda: f"path=/api/settings status=200 subject={RITA}" in people.server.output())


def test_a_private_deployment_shows_nothing_without_a_token(tmp_path: Path, issuing: Issuer) -> None:
    with running_server(tmp_path, **issuing.settings("private")) as server:
        people = People(server, issuing)
        for route in ROUTES:
            path = path_of(route.path)
            is_open = route.path.startswith("/health")

            assert (people.ask(None, route.method, path).status_code == 401) == (not is_open), path
        found = people.ask(RITA, "GET", "/api/channels")

        assert found.status_code == 200
        assert found.headers["cache-control"] == "no-store"
        assert people.ask(None, "GET", "/").status_code in (200, 503)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"API_AUTH": "jwt"}, "API_AUTH=jwt needs JWT_ISSUER and JWT_AUDIENCE"),
        ({"API_AUTH": "write"}, "API_AUTH must be one of none, jwt, private on this machine, not 'write'"),
    ],
)
def test_a_server_that_could_verify_nothing_does_not_start(
    tmp_path: Path, settings: dict[str, str], sentence: str
) -> None:
    with pytest.raises(AssertionError, match="did not start") as refused:
        LocalServer(tmp_path / "data", **settings)

    assert sentence in str(refused.value)
