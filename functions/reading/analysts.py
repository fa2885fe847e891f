"""Creates the analyst chosen in the settings. Each is imported on first use, because some are slow to load."""

from functools import cache
from urllib.parse import urlsplit

from functions.reading.analyst import Analyst
from functions.runtime.provider_errors import MissingSetting
from functions.runtime.provider_settings import model_temperature, model_window, provider_keys, provider_url
from functions.runtime.settings import AUTO, ON_LAMBDA, settings

PURPOSES = {
    "bedrock": "read transcripts with a model on Amazon Bedrock",
    "openai": "read transcripts with an OpenAI-compatible model",
    "ollama": "read transcripts with a model on this machine",
}
OPENAI_URL = "https://api.openai.com/v1"
OLLAMA_URL = "http://127.0.0.1:11434"
THIS_MACHINE = "this machine"
WITHOUT_MODEL = frozenset({"rules", "recorded"})
"""Providers that send nothing to a model, and cost nothing."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@cache
def analyst() -> Analyst:
    return analyst_named(provider())


@cache
def provider() -> str:
    """The provider as it is set, or the best at hand. Changes take effect when the process starts again."""
    chosen = settings().providers.analyst
    return _best_at_hand() if chosen == AUTO else chosen


def analyst_named(chosen: str) -> Analyst:
    if chosen == AUTO:
        return analyst_named(_best_at_hand())
    if chosen == "rules":
        from functions.reading.rules import RulesAnalyst

        return RulesAnalyst(settings().call_threshold)
    if chosen == "recorded":
        from functions.reading.models.recorded import RecordedAnalyst

        return RecordedAnalyst(lambda: analyst_named("rules"))
    return _bedrock() if chosen == "bedrock" else _ollama() if chosen == "ollama" else _openai()


def destination(chosen: str) -> str:
    """The host that transcripts are sent to, or `this machine`."""
    if chosen == "bedrock":
        return f"bedrock-runtime.{settings().region}.amazonaws.com"
    if chosen in WITHOUT_MODEL:
        return THIS_MACHINE
    host = urlsplit(_ollama_url() if chosen == "ollama" else _openai_url()).hostname or ""
    return THIS_MACHINE if host in LOOPBACK else host


def _best_at_hand() -> str:
    keys = provider_keys()
    if keys.find("BEDROCK_MODEL_ID"):
        return "bedrock"
    if keys.find("OPENAI_API_KEY") or keys.find("OPENAI_BASE_URL"):
        return "openai"
    return "ollama" if not ON_LAMBDA and _installed_model() else "rules"


def _bedrock() -> Analyst:
    from functions.reading.models.bedrock import BedrockAnalyst
    from functions.reading.models.windows import HOSTED_TOKENS, Window

    model = provider_keys().get("BEDROCK_MODEL_ID", PURPOSES["bedrock"])
    window = Window(model_window(HOSTED_TOKENS))
    return BedrockAnalyst(model, settings().region, temperature=model_temperature(), window=window)


def _openai() -> Analyst:
    from functions.reading.models.openai_compatible import LOCAL_MODEL_LIMITS, MODEL_LIMITS, OpenAIAnalyst
    from functions.reading.models.windows import HOSTED_TOKENS, Window

    keys = provider_keys()
    # A server of one's own needs no key.
    find_key = keys.find if keys.find("OPENAI_BASE_URL") else lambda name: keys.get(name, PURPOSES["openai"])
    return OpenAIAnalyst(
        find_key("OPENAI_API_KEY"),
        keys.get("OPENAI_MODEL", PURPOSES["openai"]),
        _openai_url(),
        temperature=model_temperature(),
        window=Window(model_window(HOSTED_TOKENS)),
        limits=LOCAL_MODEL_LIMITS if destination("openai") == THIS_MACHINE else MODEL_LIMITS,
    )


def _ollama() -> Analyst:
    from functions.reading.models.openai_compatible import LOCAL_MODEL_LIMITS, OpenAIAnalyst
    from functions.reading.models.windows import LOCAL_TOKENS, Window

    model = provider_keys().find("OLLAMA_MODEL") or _installed_model()
    if model is None:
        raise MissingSetting("OLLAMA_MODEL", PURPOSES["ollama"])
    return OpenAIAnalyst(
        None,
        model,
        f"{_ollama_url()}/v1",
        temperature=model_temperature(),
        window=Window(model_window(LOCAL_TOKENS)),
        cuts_prompts=True,
        limits=LOCAL_MODEL_LIMITS,
    )


def _installed_model() -> str | None:
    """The model of the Ollama that answers at its address, preferring the one that is set."""
    from functions.reading.models.ollama import installed_model

    found = installed_model(_ollama_url())
    return found and (provider_keys().find("OLLAMA_MODEL") or found)


def _openai_url() -> str:
    return provider_url("OPENAI_BASE_URL", OPENAI_URL)


def _ollama_url() -> str:
    return provider_url("OLLAMA_BASE_URL", OLLAMA_URL)
