"""Finds the stocks of a transcript with a model behind any endpoint compatible with OpenAI's chat completions."""

from typing import Any

from functions.reading.analyst import Analysis, Speech, TokenUsage
from functions.reading.models.prompt import INSTRUCTIONS, RESPONSE_NAME, RESPONSE_SCHEMA
from functions.reading.models.responses import Completion, TooLong, analyse, cause, read_json
from functions.runtime.http.json_client import JsonClient, RateLimit, documented_shape
from functions.runtime.http.outbound import Limits
from functions.runtime.provider_errors import ProviderError, Refused, Unavailable

SERVICE = "The model's endpoint"
BASE_URL = "https://api.openai.com/v1"
MODEL_LIMITS = Limits(read_seconds=120.0, total_seconds=180.0)
OUT_OF_CREDIT = frozenset(
    {
        "insufficient_quota",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
        "organization_usage_limit_exceeded",
    }
)


class OpenAIAnalyst:
    def __init__(
        self,
        api_key: str,
        model: str,
        base_url: str = BASE_URL,
        *,
        temperature: float | None = None,
        limits: Limits = MODEL_LIMITS,
        rate: RateLimit | None = None,
    ) -> None:
        """Omits a temperature of None: current models reject the parameter."""
        self._model = model
        self._base_url = base_url.rstrip("/")
        self._temperature = {} if temperature is None else {"temperature": temperature}
        headers = {"Authorization": f"Bearer {api_key}"}
        self._api_key = api_key
        self._client = JsonClient(SERVICE, headers=headers, limits=limits, rate=rate, explain=self._explain)

    @property
    def name(self) -> str:
        return self._model

    def analyse(self, speech: Speech) -> Analysis:
        return analyse(speech, self._complete, SERVICE)

    def _complete(self, message: str) -> Completion:
        try:
            response = self._client.post_json(f"{self._base_url}/chat/completions", self._request(message))
        except _ContextExceeded as problem:
            raise TooLong(Refused(str(problem))) from None
        with documented_shape(SERVICE):
            choice = response["choices"][0]
            said, reason = choice["message"], choice.get("finish_reason")
            if said.get("refusal"):
                raise Unavailable(f"The model declined to answer: {cause(said['refusal'])}")
            if reason == "length":
                raise TooLong(Unavailable("The model did not finish its response (length)."), _usage(response))
            if reason == "content_filter":
                raise Unavailable("The model's response was held back by a content filter.")
            return Completion(read_json(said["content"]), _usage(response))

    def _request(self, message: str) -> dict[str, Any]:
        return {
            "model": self._model,
            "messages": [
                {"role": "system", "content": INSTRUCTIONS},
                {"role": "user", "content": message},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": RESPONSE_NAME, "strict": True, "schema": RESPONSE_SCHEMA},
            },
            **self._temperature,
        }

    def _explain(self, status: int, body: Any) -> ProviderError | None:
        error = body["error"] if isinstance(body["error"], dict) else {"message": body["error"]}
        # An account without credit gets a rate-limit status, but a retry would not help.
        if {error.get("code"), error.get("type")} & OUT_OF_CREDIT:
            return Refused("The account behind OPENAI_API_KEY has no credit left, or has reached its spending limit.")
        if status == 401:
            return Refused("The model's endpoint does not accept the key: check OPENAI_API_KEY.")
        if status == 404:
            return Refused("The model's endpoint has no such model: check OPENAI_MODEL and OPENAI_BASE_URL.")
        if error.get("code") == "context_length_exceeded":
            return _ContextExceeded("The transcript is too long for the model that OPENAI_MODEL names.")
        reason = cause(error.get("message")).replace(self._api_key, "…")
        return Refused(f"{SERVICE} refused the request (HTTP {status}): {reason}") if reason and status < 429 else None


def _usage(response: Any) -> TokenUsage:
    counted = response.get("usage") or {}
    return TokenUsage(counted.get("prompt_tokens", 0), counted.get("completion_tokens", 0))


class _ContextExceeded(Refused):
    """A piece exceeds the model's context window."""
