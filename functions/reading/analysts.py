"""Creates the analyst chosen in the settings. Each is imported on first use, because some are slow to load."""

from functools import cache

from functions.reading.analyst import Analyst
from functions.runtime.provider_settings import model_temperature, provider_keys, provider_url
from functions.runtime.settings import settings


@cache
def analyst() -> Analyst:
    return analyst_named(settings().providers.analyst)


def analyst_named(chosen: str) -> Analyst:
    if chosen == "rules":
        from functions.reading.rules import RulesAnalyst

        return RulesAnalyst(settings().call_threshold)
    temperature = model_temperature()
    if chosen == "bedrock":
        from functions.reading.models.bedrock import BedrockAnalyst

        model = provider_keys().get("BEDROCK_MODEL_ID", "read transcripts with a model on Amazon Bedrock")
        return BedrockAnalyst(model, settings().region, temperature=temperature)
    from functions.reading.models.openai_compatible import BASE_URL, OpenAIAnalyst

    purpose = "read transcripts with an OpenAI-compatible model"
    return OpenAIAnalyst(
        provider_keys().get("OPENAI_API_KEY", purpose),
        provider_keys().get("OPENAI_MODEL", purpose),
        provider_url("OPENAI_BASE_URL", BASE_URL),
        temperature=temperature,
    )
