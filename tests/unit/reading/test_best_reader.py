"""ANALYST_PROVIDER=auto takes the best reader at hand."""

from collections.abc import Iterator

import pytest

from functions.reading import analysts
from functions.reading.models.openai_compatible import OpenAIAnalyst
from functions.runtime.errors import InvalidSetting
from functions.runtime.provider_errors import MissingSetting
from functions.runtime.settings import LIVE_KEYS, settings
from functions.service import setup
from tests.stub import Response, Stub, html_response, json_response

TAGS = {"models": [{"name": "nomic-embed-text:latest"}, {"name": "qwen3:8b"}, {"name": "gemma3:4b"}]}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, stub: Stub) -> Iterator[pytest.MonkeyPatch]:
    """Live providers, no model, and an Ollama that doesn't answer."""
    for name in (*LIVE_KEYS, "ANALYST_PROVIDER", "KEYS_SECRET_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PROVIDERS", "live")
    monkeypatch.setenv("OLLAMA_BASE_URL", stub.url)
    reset()
    yield monkeypatch
    monkeypatch.undo()
    reset()


def reset() -> None:
    settings.cache_clear()
    setup.reset_cache()


def choose(environment: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        environment.setenv(name, value)
    reset()


def test_without_a_model_the_rules_read() -> None:
    assert analysts.provider() == "rules"
    assert analysts.analyst().name.startswith("rules")
    assert analysts.destination("rules") == "this machine"


def test_ollama_reads_where_it_answers_and_is_asked_once(stub: Stub) -> None:
    stub.on("/api/tags", json_response(TAGS))

    names = {analysts.analyst().name, analysts.analyst_named("ollama").name}

    assert analysts.provider() == "ollama"
    assert names == {"qwen3:8b"}
    assert analysts.destination("ollama") == "this machine"
    assert [request.path for request in stub.requests] == ["/api/tags"]


@pytest.mark.parametrize("response", [html_response(), json_response({}), json_response({"models": []}), Response(500)])
def test_something_else_at_ollama_s_address_is_passed_over(stub: Stub, response: Response) -> None:
    stub.on("/api/tags", response)

    assert analysts.provider() == "rules"


def test_ollama_is_never_tried_on_lambda(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    stub.on("/api/tags", json_response(TAGS))
    monkeypatch.setattr(analysts, "ON_LAMBDA", True)

    assert analysts.provider() == "rules"
    assert stub.requests == []


def test_the_model_of_ollama_can_be_chosen(stub: Stub, environment: pytest.MonkeyPatch) -> None:
    stub.on("/api/tags", json_response(TAGS))
    choose(environment, OLLAMA_MODEL="gemma3:4b")

    assert analysts.analyst().name == "gemma3:4b"


def test_an_openai_compatible_endpoint_comes_before_ollama(stub: Stub, environment: pytest.MonkeyPatch) -> None:
    stub.on("/api/tags", json_response(TAGS))
    choose(environment, OPENAI_API_KEY="k", OPENAI_MODEL="gpt")

    assert (analysts.provider(), analysts.analyst().name) == ("openai", "gpt")
    assert analysts.destination("openai") == "api.openai.com"


def test_a_base_url_alone_needs_no_key(environment: pytest.MonkeyPatch) -> None:
    choose(environment, OPENAI_BASE_URL="http://localhost:1234/v1", OPENAI_MODEL="local")

    assert (analysts.provider(), analysts.analyst().name) == ("openai", "local")
    assert analysts.destination("openai") == "this machine"


def test_bedrock_comes_first(environment: pytest.MonkeyPatch) -> None:
    choose(
        environment, BEDROCK_MODEL_ID="us.amazon.nova", OPENAI_API_KEY="k", OPENAI_MODEL="gpt", AWS_REGION="eu-west-1"
    )

    assert (analysts.provider(), analysts.analyst().name) == ("bedrock", "us.amazon.nova")
    assert analysts.destination("bedrock").startswith("bedrock-runtime.")


def test_a_choice_comes_before_the_best(environment: pytest.MonkeyPatch) -> None:
    choose(environment, BEDROCK_MODEL_ID="us.amazon.nova", ANALYST_PROVIDER="rules")

    assert analysts.provider() == "rules"


def test_ollama_without_a_model_names_what_is_missing(environment: pytest.MonkeyPatch) -> None:
    choose(environment, ANALYST_PROVIDER="ollama")

    with pytest.raises(MissingSetting, match="OLLAMA_MODEL"):
        analysts.analyst()


def test_the_demo_replays_recorded_answers(environment: pytest.MonkeyPatch) -> None:
    choose(environment, PROVIDERS="demo", OPENAI_API_KEY="k", OPENAI_MODEL="gpt")

    assert analysts.provider() == "recorded"


@pytest.mark.parametrize(("given", "words"), [("32,768", 20_000), ("8192", 3_000)])
def test_the_window_is_a_setting(environment: pytest.MonkeyPatch, given: str, words: int) -> None:
    choose(environment, OPENAI_BASE_URL="http://localhost:1/v1", OPENAI_MODEL="m", MODEL_WINDOW_TOKENS=given)

    reader = analysts.analyst()

    assert isinstance(reader, OpenAIAnalyst)
    assert vars(reader)["_window"].piece_words == pytest.approx(words, rel=0.25)


@pytest.mark.parametrize("given", ["many", "100", "-1"])
def test_a_window_that_holds_nothing_is_refused(environment: pytest.MonkeyPatch, given: str) -> None:
    choose(environment, OPENAI_BASE_URL="http://localhost:1/v1", OPENAI_MODEL="m", MODEL_WINDOW_TOKENS=given)

    with pytest.raises(InvalidSetting, match="MODEL_WINDOW_TOKENS"):
        analysts.analyst()
