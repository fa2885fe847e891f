"""Finds the stocks of a transcript with a model on Amazon Bedrock."""

from datetime import date
from typing import Any

from functions.reading.analyst import Call
from functions.reading.models.bedrock_client import SERVICE, BedrockModel, Tool, blocks_of, tool_input
from functions.reading.models.responses import (
    INSTRUCTIONS,
    RESPONSE_DESCRIPTION,
    RESPONSE_NAME,
    RESPONSE_SCHEMA,
    TooLong,
    analyse,
    prompt,
    read_json,
)
from functions.runtime.provider_errors import Refused, Unavailable

MAX_TOKENS = 4096
TOOL = Tool(RESPONSE_NAME, RESPONSE_DESCRIPTION, RESPONSE_SCHEMA)


class BedrockAnalyst:
    def __init__(self, model_id: str, region: str, *, temperature: float | None = None, client: Any = None) -> None:
        self._model = BedrockModel(model_id, region, temperature=temperature, client=client)

    @property
    def name(self) -> str:
        return self._model.model_id

    def calls(self, transcript: str, day: date | None = None) -> list[Call]:
        return analyse(transcript, self._complete, SERVICE, day)

    def _complete(self, piece: str) -> Any:
        response = self._model.call(TOOL, INSTRUCTIONS, prompt(piece), MAX_TOKENS)
        stopped = response.get("stopReason", "no response")
        unfinished = Unavailable(f"The model on Amazon Bedrock did not finish ({stopped}).")
        if stopped == "model_context_window_exceeded":
            raise TooLong(Refused("The transcript is too long for the model that BEDROCK_MODEL_ID names."))
        if stopped == "max_tokens":
            raise TooLong(unfinished)
        # A truncated response may contain part of a tool call, and a partial list must not be used.
        if stopped not in ("tool_use", "end_turn", "stop_sequence"):
            raise unfinished
        return _list_in(response)


def _list_in(response: dict[str, Any]) -> Any:
    """Returns the input of the tool call, or the JSON in the text if the model wrote the list instead."""
    called = tool_input(response, TOOL)
    if called is not None:
        return called
    try:
        return read_json(" ".join(block["text"] for block in blocks_of(response) if "text" in block))
    except ValueError:
        raise Unavailable("The model on Amazon Bedrock did not return a list of calls.") from None
