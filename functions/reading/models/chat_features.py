"""The optional features of an OpenAI-compatible server, and how to do without those that it refuses."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from functions.reading.models.prompt import INSTRUCTIONS, JSON_REMINDER, RESPONSE_NAME, RESPONSE_SCHEMA

MIN_ANSWER_TOKENS = 1_000
"""A lower bound than this would cut off most answers."""

_FORMAT_REFUSED = re.compile(r"response.?format|json.?schema|json.?object|structured.?output|grammar|\bschema\b")
_USAGE_REFUSED = re.compile(r"stream_options|include_usage")
_STREAM_REFUSED = re.compile(r"\bstream(ing)?\b")
_NEW_BOUND_REFUSED = re.compile(r"max_completion_tokens")
_BOUND_REFUSED = re.compile(r"max_(completion_)?tokens|output tokens")
_TOO_LARGE = re.compile(r"too (large|high|big)|at most|less than|maximum|exceed|greater than|<=")


class ResponseFormat(StrEnum):
    """How a server is made to return JSON, the surest way first."""

    SCHEMA = "json_schema"
    JSON = "json_object"
    TEXT = "text"


_WEAKER = {ResponseFormat.SCHEMA: ResponseFormat.JSON, ResponseFormat.JSON: ResponseFormat.TEXT}
_SCHEMA = {"name": RESPONSE_NAME, "strict": True, "schema": RESPONSE_SCHEMA}


@dataclass(frozen=True, slots=True)
class ChatFeatures:
    """What is asked of a server. Starts with everything; each refusal takes one feature away."""

    answer_tokens: int
    """The bound on the answer's length, which is always sent."""
    response_format: ResponseFormat = ResponseFormat.SCHEMA
    bound_name: str = "max_completion_tokens"
    streams: bool = True
    counts_tokens: bool = True
    """Asks for the usage at the end of a stream."""

    @property
    def instructions(self) -> str:
        return INSTRUCTIONS if self.response_format is ResponseFormat.SCHEMA else INSTRUCTIONS + JSON_REMINDER

    def parameters(self) -> dict[str, Any]:
        """Returns the fields of the request that depend on the features."""
        formats: dict[ResponseFormat, dict[str, Any]] = {
            ResponseFormat.SCHEMA: {"response_format": {"type": self.response_format, "json_schema": _SCHEMA}},
            ResponseFormat.JSON: {"response_format": {"type": self.response_format}},
            ResponseFormat.TEXT: {},
        }
        stream = {"stream": True} if self.streams else {}
        usage = {"stream_options": {"include_usage": True}} if self.streams and self.counts_tokens else {}
        return {self.bound_name: self.answer_tokens, **formats[self.response_format], **stream, **usage}

    def without(self, refusal: str) -> "ChatFeatures | None":
        """Returns what is left after a refusal in the server's words; None if it isn't about a feature."""
        words = refusal.lower()
        if self.streams and self.counts_tokens and _USAGE_REFUSED.search(words):
            return replace(self, counts_tokens=False)
        if _BOUND_REFUSED.search(words):
            return self._with_another_bound(words)
        if _FORMAT_REFUSED.search(words):
            return self.with_weaker_format()
        if self.streams and _STREAM_REFUSED.search(words):
            return replace(self, streams=False)
        return None

    def with_weaker_format(self) -> "ChatFeatures | None":
        weaker = _WEAKER.get(self.response_format)
        return replace(self, response_format=weaker) if weaker else None

    def _with_another_bound(self, words: str) -> "ChatFeatures | None":
        if _TOO_LARGE.search(words):
            smaller = self.answer_tokens // 2
            return replace(self, answer_tokens=smaller) if smaller >= MIN_ANSWER_TOKENS else None
        if self.bound_name != "max_tokens" and _NEW_BOUND_REFUSED.search(words):
            return replace(self, bound_name="max_tokens")
        return None
