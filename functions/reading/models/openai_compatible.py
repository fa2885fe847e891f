"""Finds the stocks of a transcript with a model behind any endpoint compatible with OpenAI's chat completions."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from functions.reading.analyst import Analysis, Speech, TokenUsage
from functions.reading.models.chat_features import ChatFeatures, ResponseFormat
from functions.reading.models.responses import Completion, TooLong, analyse, cause, entries_of, read_json
from functions.reading.models.windows import HOSTED_WINDOW, Window, estimated_tokens, exceeds_window
from functions.runtime.http.json_client import JsonClient, RateLimit, documented_shape
from functions.runtime.http.outbound import Limits
from functions.runtime.provider_errors import Declined, Nonsense, ProviderError, Refused, Unavailable
from functions.runtime.settings import ON_LAMBDA

SERVICE = "The model's endpoint"
MODEL_LIMITS = Limits(read_seconds=120.0, total_seconds=200.0 if ON_LAMBDA else 3600.0)
"""The first is for silence. On Lambda the second ends before the step's own time-out."""
LOCAL_MODEL_LIMITS = Limits(read_seconds=900.0, total_seconds=3600.0)
"""A processor reads some 30 tokens a second, and a server is silent until it has read the whole request."""
OUT_OF_CREDIT = frozenset(
    {
        "insufficient_quota",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "project_spend_limit_exceeded",
        "organization_usage_limit_exceeded",
    }
)
TOO_LONG = "The transcript is too long for the model's window: check MODEL_WINDOW_TOKENS."
NOT_SUPPORTED = frozenset({400, 415, 422, 501})


class OpenAIAnalyst:
    def __init__(
        self,
        api_key: str | None,
        model: str,
        base_url: str,
        *,
        temperature: float | None = None,
        window: Window = HOSTED_WINDOW,
        cuts_prompts: bool = False,
        limits: Limits = MODEL_LIMITS,
        rate: RateLimit | None = None,
    ) -> None:
        """Omits a temperature of None: current models reject the parameter.

        A server on this machine needs no key. `cuts_prompts` is for one that drops what exceeds its window in silence.
        """
        self._model = model
        self._base_url = base_url.rstrip("/")
        self._temperature = {} if temperature is None else {"temperature": temperature}
        self._window = window
        self._cuts_prompts = cuts_prompts
        self._features = ChatFeatures(window.answer_tokens)
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._api_key = api_key
        self._client = JsonClient(SERVICE, headers=headers, limits=limits, rate=rate, explain=self._explain)

    @property
    def name(self) -> str:
        return self._model

    def analyse(self, speech: Speech) -> Analysis:
        return analyse(speech, self._complete, SERVICE, self._window.piece_words)

    def _complete(self, message: str) -> Completion:
        """Sends the message with the features that the server is known to have; each refusal leaves fewer."""
        while True:
            features = self._features
            try:
                return self._completion(message, features)
            except _NotSupported as refusal:
                fewer = features.without(refusal.words)
                if fewer is None:
                    raise _final(refusal) from None
            except _NotJson:
                # A server may accept a format and ignore it, and the instructions name the fields only without one.
                fewer = features.with_weaker_format()
                if fewer is None:
                    raise
            # Another thread may have learned the same meanwhile.
            if self._features == features:
                self._features = fewer

    def _completion(self, message: str, features: ChatFeatures) -> Completion:
        request = {
            "model": self._model,
            "messages": [
                {"role": "system", "content": features.instructions},
                {"role": "user", "content": message},
            ],
            **features.parameters(),
            **self._temperature,
        }
        try:
            events = self._client.post_for_events(f"{self._base_url}/chat/completions", request)
            with documented_shape(SERVICE):
                answer = self._answer(events)
        except _ContextExceeded as problem:
            raise TooLong(Refused(str(problem))) from None
        sent = f"{features.instructions} {message}"
        usage = answer.usage or TokenUsage(_estimate(sent), _estimate(answer.content))
        if self._cuts_prompts and answer.usage and answer.usage.input < len(sent.split()):
            raise TooLong(Refused(f"{SERVICE} cut the request off: its window is smaller than expected."), usage)
        return Completion(_statements(answer, usage, features), usage)

    def _answer(self, events: Iterable[Any]) -> "_Answer":
        """Puts the parts of a streamed response together; one that isn't streamed has a single part."""
        content, refusal = [], []
        finish, usage, choices, is_streamed = None, None, 0, False
        for event in events:
            if event.get("error"):
                raise self._explain(500, event) or Unavailable(f"{SERVICE} broke off with an error.")
            usage = _usage(event.get("usage")) or usage
            for choice in event.get("choices", ())[:1]:
                choices += 1
                is_streamed = is_streamed or "delta" in choice
                said = choice.get("message") or choice.get("delta") or {}
                content.append(said.get("content") or "")
                refusal.append(said.get("refusal") or "")
                finish = choice.get("finish_reason") or finish
        if not choices:
            raise LookupError("no choice")
        if is_streamed and not finish:
            # The beginning of an answer may contain JSON that reads as an empty list of statements.
            raise Unavailable(f"{SERVICE} broke off in the middle of its answer.")
        return _Answer("".join(content), "".join(refusal), finish, usage)

    def _explain(self, status: int, body: Any) -> ProviderError | None:
        words = json.dumps(body, ensure_ascii=False)
        given = body.get("error", body.get("detail")) if isinstance(body, dict) else None
        error = given if isinstance(given, dict) else {"message": given}
        # An account without credit gets a rate-limit status, but a retry would not help.
        if {str(error.get("code")), str(error.get("type"))} & OUT_OF_CREDIT:
            return Refused("The account behind OPENAI_API_KEY has no credit left, or has reached its spending limit.")
        if status == 401:
            return Refused("The model's endpoint does not accept the key: check OPENAI_API_KEY.")
        if status == 404:
            return Refused(
                "The model's endpoint has no such model: check OPENAI_MODEL and OPENAI_BASE_URL, or OLLAMA_MODEL."
            )
        if status != 429 and exceeds_window(words) and "max_" not in words:
            return _ContextExceeded(TOO_LONG)
        reason = cause(error.get("message"))
        if self._api_key:
            reason = reason.replace(self._api_key, "…")
        told = f"{SERVICE} refused the request (HTTP {status}){f': {reason}' if reason else '.'}"
        if status in NOT_SUPPORTED:
            return _NotSupported(told, words)
        return Refused(told) if reason and status < 429 else None


@dataclass(frozen=True, slots=True)
class _Answer:
    content: str
    refusal: str
    finish: str | None
    usage: TokenUsage | None


def _statements(answer: _Answer, usage: TokenUsage, features: ChatFeatures) -> Any:
    if answer.refusal:
        raise Declined(f"The model declined to answer: {cause(answer.refusal)}")
    if answer.finish == "length":
        raise TooLong(Unavailable("The model did not finish its response (length)."), usage)
    if answer.finish == "content_filter":
        raise Declined("The model's response was held back by a content filter.")
    problem = _NotJson if features.response_format is not ResponseFormat.TEXT else Nonsense
    try:
        statements = read_json(answer.content)
        entries_of(statements, SERVICE)
    except (ValueError, Unavailable):
        raise problem(f"{SERVICE} did not return a list of statements.") from None
    return statements


def _final(refusal: "_NotSupported") -> Exception:
    """Returns the error for a refusal that no feature is left to answer with."""
    return TooLong(Refused(TOO_LONG)) if exceeds_window(refusal.words) else Refused(str(refusal))


def _usage(counted: Any) -> TokenUsage | None:
    if not isinstance(counted, dict) or not counted.get("prompt_tokens"):
        return None
    return TokenUsage(int(counted["prompt_tokens"]), int(counted.get("completion_tokens") or 0))


def _estimate(text: str) -> int:
    return estimated_tokens(len(text.split()))


class _ContextExceeded(Refused):
    """A piece exceeds the model's context window."""


class _NotSupported(Refused):
    """The server may lack a feature that the request uses."""

    def __init__(self, message: str, words: str) -> None:
        super().__init__(message)
        self.words = words
        """The whole response, which names the feature."""


class _NotJson(Nonsense):
    """The answer isn't a list of statements, although the server was asked for JSON."""
