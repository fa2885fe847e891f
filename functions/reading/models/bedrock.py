"""Finds the stocks of a transcript with a model on Amazon Bedrock."""

from typing import Any

from functions.reading.analyst import Analysis, Speech, TokenUsage
from functions.reading.models.bedrock_client import (
    SERVICE,
    BedrockModel,
    Tool,
    WindowExceeded,
    blocks_of,
    tool_input,
)
from functions.reading.models.prompt import INSTRUCTIONS, RESPONSE_DESCRIPTION, RESPONSE_NAME, RESPONSE_SCHEMA
from functions.reading.models.responses import Completion, TooLong, analyse, read_json
from functions.reading.models.windows import HOSTED_WINDOW, Window, estimated_tokens
from functions.runtime.provider_errors import Refused, Unavailable

TOOL = Tool(RESPONSE_NAME, RESPONSE_DESCRIPTION, RESPONSE_SCHEMA)


class BedrockAnalyst:
    def __init__(
        self,
        model_id: str,
        region: str,
        *,
        temperature: float | None = None,
        window: Window = HOSTED_WINDOW,
        client: Any = None,
    ) -> None:
        self._window = window
        self._model = BedrockModel(model_id, region, temperature=temperature, client=client)

    @property
    def name(self) -> str:
        return self._model.model_id

    def analyse(self, speech: Speech) -> Analysis:
        return analyse(speech, self._complete, SERVICE, self._window.piece_words)

    def _complete(self, message: str) -> Completion:
        too_long = Refused("The transcript is too long for the model that BEDROCK_MODEL_ID names.")
        try:
            response = self._model.call(TOOL, INSTRUCTIONS, message, self._window.answer_tokens)
        except WindowExceeded:
            raise TooLong(too_long) from None
        usage = _usage(response, message)
        stopped = response.get("stopReason", "no response")
        unfinished = Unavailable(f"The model on Amazon Bedrock did not finish ({stopped}).")
        if stopped == "model_context_window_exceeded":
            raise TooLong(too_long)
        if stopped == "max_tokens":
            raise TooLong(unfinished, usage)
        # A truncated response may contain part of a tool call, and a partial list must not be used.
        if stopped not in ("tool_use", "end_turn", "stop_sequence"):
            raise unfinished
        return Completion(_list_in(response), usage)


def _usage(response: dict[str, Any], message: str) -> TokenUsage:
    counted = response.get("usage") or {}
    estimated = estimated_tokens(len(f"{INSTRUCTIONS} {message}".split()))
    return TokenUsage(counted.get("inputTokens", estimated), counted.get("outputTokens", 0))


def _list_in(response: dict[str, Any]) -> Any:
    """Returns the input of the tool call, or the JSON in the text if the model wrote the list instead."""
    called = tool_input(response, TOOL)
    if called is not None:
        return called
    try:
        return read_json(" ".join(block["text"] for block in blocks_of(response) if "text" in block))
    except ValueError:
        raise Unavailable("The model on Amazon Bedrock did not return a list of statements.") from None
