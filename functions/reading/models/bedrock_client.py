"""Calls models on Amazon Bedrock with one forced tool, whose input is the structured result."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from functions.reading.models.windows import exceeds_window
from functions.runtime.aws_errors import refused_or_unavailable
from functions.runtime.provider_errors import Declined, ProviderError, Refused

SERVICE = "Amazon Bedrock"
ADVICE = "Check that BEDROCK_MODEL_ID names a model in this region that you have access to and that supports tool use."


DECLINED = frozenset({"content_filtered", "guardrail_intervened", "refusal"})
"""Reasons to stop with which a model or its guardrail refuses the text."""


class WindowExceeded(Refused):
    """The request is too long for the model."""


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    description: str
    schema: Mapping[str, Any]
    """JSON Schema of its input."""

    def specification(self) -> dict[str, Any]:
        return {"name": self.name, "description": self.description, "inputSchema": {"json": self.schema}}


class BedrockModel:
    def __init__(self, model_id: str, region: str, *, temperature: float | None = None, client: Any = None) -> None:
        """Omits a temperature of None: current models reject the parameter."""
        self.model_id = model_id
        self._region = region
        self._temperature = {} if temperature is None else {"temperature": temperature}
        self._client = client
        self._lock = threading.Lock()

    def call(self, tool: Tool, instructions: str, prompt: str, max_tokens: int) -> dict[str, Any]:
        """Returns the response. Raises Refused, Declined or Unavailable if there is none."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            response: dict[str, Any] = self._runtime().converse(
                modelId=self.model_id,
                system=[{"text": instructions}],
                messages=[{"role": "user", "content": [{"text": prompt}]}],
                inferenceConfig={**self._temperature, "maxTokens": max_tokens},
                toolConfig={
                    "tools": [{"toolSpec": tool.specification()}],
                    "toolChoice": {"tool": {"name": tool.name}},
                },
            )
        except (BotoCoreError, ClientError) as fault:
            error: ProviderError = refused_or_unavailable(fault, SERVICE, ADVICE)
            if isinstance(error, Refused) and exceeds_window(str(error)):
                error = WindowExceeded(str(error))
            raise error from None
        if response.get("stopReason") in DECLINED:
            raise Declined(f"The model on Amazon Bedrock declined to answer ({response['stopReason']}).")
        return response

    def _runtime(self) -> Any:
        with self._lock:
            self._client = self._client or _new_client(self._region)
            return self._client


def blocks_of(response: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The content blocks of the message: text and tool calls."""
    blocks: list[dict[str, Any]] = response.get("output", {}).get("message", {}).get("content", [])
    return blocks


def tool_input(response: Mapping[str, Any], tool: Tool) -> Any:
    """The input of the tool call, or None if the model did not call the tool."""
    uses = [block["toolUse"] for block in blocks_of(response) if "toolUse" in block]
    return next((use.get("input") for use in uses if use.get("name") == tool.name), None)


def _new_client(region: str) -> Any:
    import boto3
    from botocore.config import Config

    # One attempt: the pipeline retries whole steps, with its own backoff. Converse sends nothing until the answer is
    # complete, so the read time-out has to cover the work; it ends before that of the Lambda step. ConverseStream would
    # need one more permission and has its tool input in fragments, for hosted models that are quick anyway.
    config = Config(connect_timeout=5, read_timeout=200, retries={"total_max_attempts": 1})
    return boto3.client("bedrock-runtime", region_name=region, config=config)
