"""The stocks of a transcript, found by a model on Amazon Bedrock."""

import threading
from datetime import date
from typing import Any

from functions.providers.aws_errors import refused_or_unavailable
from functions.providers.model_responses import (
    INSTRUCTIONS,
    RESPONSE_DESCRIPTION,
    RESPONSE_NAME,
    RESPONSE_SCHEMA,
    TooLong,
    analyse,
    prompt,
    read_json,
)
from functions.providers.protocols import Call, ProviderError, Refused, Unavailable

MAX_TOKENS = 4096
ADVICE = (
    "Check that BEDROCK_MODEL_ID names a model of this region that you may use and that can be made to call a tool."
)


class BedrockAnalyst:
    def __init__(self, model_id: str, region: str, *, temperature: float | None = None, client: Any = None) -> None:
        """A temperature of None is not sent: current models refuse any."""
        self._model_id = model_id
        self._region = region
        self._temperature = {} if temperature is None else {"temperature": temperature}
        self._client = client
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._model_id

    def calls(self, transcript: str, day: date | None = None) -> list[Call]:
        return analyse(transcript, self._complete, "Amazon Bedrock", day)

    def _complete(self, piece: str) -> Any:
        response = self._converse(piece)
        stopped = response.get("stopReason", "no response")
        unfinished = Unavailable(f"The model on Amazon Bedrock did not finish ({stopped}).")
        if stopped == "model_context_window_exceeded":
            raise TooLong(Refused("The transcript is too long for the model that BEDROCK_MODEL_ID names."))
        if stopped == "max_tokens":
            raise TooLong(unfinished)
        # A response that was cut off may contain the start of a tool call: half a list must not be used.
        if stopped not in ("tool_use", "end_turn", "stop_sequence"):
            raise unfinished
        return _tool_input(response)

    def _converse(self, piece: str) -> dict[str, Any]:
        from botocore.exceptions import BotoCoreError, ClientError

        error: ProviderError
        try:
            response: dict[str, Any] = self._runtime().converse(
                modelId=self._model_id,
                system=[{"text": INSTRUCTIONS}],
                messages=[{"role": "user", "content": [{"text": prompt(piece)}]}],
                inferenceConfig={**self._temperature, "maxTokens": MAX_TOKENS},
                toolConfig={
                    "tools": [{"toolSpec": _tool()}],
                    "toolChoice": {"tool": {"name": RESPONSE_NAME}},
                },
            )
            return response
        except (BotoCoreError, ClientError) as fault:
            error = refused_or_unavailable(fault, "Amazon Bedrock", ADVICE)
        raise error

    def _runtime(self) -> Any:
        with self._lock:
            self._client = self._client or new_client(self._region)
            return self._client


def new_client(region: str) -> Any:
    import boto3
    from botocore.config import Config

    # One attempt: the pipeline retries whole steps, with waits of its own.
    config = Config(connect_timeout=5, read_timeout=120, retries={"total_max_attempts": 1})
    return boto3.client("bedrock-runtime", region_name=region, config=config)


def _tool() -> dict[str, Any]:
    return {"name": RESPONSE_NAME, "description": RESPONSE_DESCRIPTION, "inputSchema": {"json": RESPONSE_SCHEMA}}


def _tool_input(response: dict[str, Any]) -> Any:
    """The input of the tool, or the JSON in the text of a model that wrote the list instead of calling the tool."""
    blocks = response.get("output", {}).get("message", {}).get("content", [])
    uses = [block["toolUse"] for block in blocks if "toolUse" in block]
    called = next((use["input"] for use in uses if use["name"] == RESPONSE_NAME), None)
    if called is not None:
        return called
    try:
        return read_json(" ".join(block["text"] for block in blocks if "text" in block))
    except ValueError:
        raise Unavailable("The model on Amazon Bedrock sent no list of calls.") from None
