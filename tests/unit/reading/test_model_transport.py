"""OpenAI-compatible servers: refusals, streams, silence, and windows."""

import json
import time
from collections.abc import Iterator
from itertools import count, repeat
from typing import Any

import pytest

from functions.reading.analyst import Speech, TokenUsage
from functions.reading.models.bedrock import BedrockAnalyst
from functions.reading.models.openai_compatible import OpenAIAnalyst
from functions.reading.models.windows import Window
from functions.runtime.http.outbound import Limits
from functions.runtime.provider_errors import Declined, Refused, Throttled, Unavailable
from tests.live_responses import aws_client
from tests.stub import Request, Response, Stub, json_response

CHAT = "/v1/chat/completions"
SPEECH = Speech("I bought Apple today. Tesla fell again.")
SHORT = Limits(connect_seconds=1.0, read_seconds=0.3, total_seconds=5.0, bytes=50_000)
APPLE = {
    "ticker": "AAPL",
    "company": "Apple",
    "heard": "Apple",
    "act": "bought",
    "speaker": "host",
    "condition": None,
    "horizon": None,
    "target": None,
    "conviction": 2,
    "sponsored": False,
    "confidence": 0.9,
    "quotes": ["I bought Apple today"],
}
ANSWER = json.dumps({"statements": [APPLE]})
USAGE = {"prompt_tokens": 1_500, "completion_tokens": 40, "total_tokens": 1_540}
EVENTS = {"Content-Type": "text/event-stream; charset=utf-8"}


def analyst(stub: Stub, **options: Any) -> OpenAIAnalyst:
    return OpenAIAnalyst("key", "small", f"{stub.url}/v1", **{"limits": SHORT, **options})


def plain(content: str, **fields: Any) -> Response:
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return json_response({"choices": [choice], **fields})


def event(content: str | None = None, finish: str | None = None, **fields: Any) -> bytes:
    delta = {} if content is None else {"content": content}
    chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}], **fields}
    return f"data: {json.dumps(chunk)}\n\n".encode()


def streamed(*, usage: dict[str, int] | None = USAGE, pause: float = 0.0, answer: str = ANSWER) -> Response:
    def chunks() -> Iterator[bytes]:
        yield b": a comment\n\n"
        yield event("")
        for start in range(0, len(answer), 20):
            time.sleep(pause)
            yield event(answer[start : start + 20])
        yield event(finish="stop")
        if usage:
            yield f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n".encode()
        yield b"data: [DONE]\n\n"

    return Response(200, headers=EVENTS, chunks=chunks())


def refusal(message: str, status: int = 400) -> Response:
    return json_response({"error": {"message": message, "type": "invalid_request_error"}}, status)


def server_without(*features: str, answer: str = ANSWER) -> Any:
    """A server that refuses requests with these fields, or these response formats."""

    def respond(request: Request) -> Response:
        sent = request.json
        used = {*sent, sent.get("response_format", {}).get("type")}
        for feature in features:
            if feature in used:
                return refusal(f"Unsupported parameter: '{feature}' is not supported by this server.")
        return streamed(answer=answer) if sent.get("stream") else plain(answer)

    return respond


def test_a_streamed_answer_is_put_together(stub: Stub) -> None:
    stub.on(CHAT, lambda request: streamed())

    analysis = analyst(stub).analyse(SPEECH)

    assert [statement.ticker for statement in analysis.statements] == ["AAPL"]
    assert analysis.usage == TokenUsage(1_500, 40)
    sent = stub.requests[0].json
    assert (sent["stream"], sent["stream_options"]) == (True, {"include_usage": True})
    assert sent["max_completion_tokens"] == 16_000
    assert "Respond with one JSON object" not in sent["messages"][0]["content"]


def test_a_server_that_does_not_stream_is_read_as_well(stub: Stub) -> None:
    stub.on(CHAT, plain(ANSWER, usage=USAGE))

    analysis = analyst(stub).analyse(SPEECH)

    assert [statement.ticker for statement in analysis.statements] == ["AAPL"]
    assert analysis.usage == TokenUsage(1_500, 40)


@pytest.mark.parametrize(
    ("refused", "left"),
    [
        (("json_schema",), {"response_format": {"type": "json_object"}}),
        (("json_schema", "json_object"), {"response_format": None}),
        (("response_format",), {"response_format": None}),
        (("stream_options",), {"stream": True, "stream_options": None}),
        (("stream",), {"stream": None, "stream_options": None}),
        (("max_completion_tokens",), {"max_completion_tokens": None, "max_tokens": 16_000}),
        (("json_schema", "json_object", "stream_options", "stream", "max_completion_tokens"), {"max_tokens": 16_000}),
    ],
)
def test_what_a_server_refuses_is_left_out_and_not_tried_again(
    stub: Stub, refused: tuple[str, ...], left: dict[str, Any]
) -> None:
    stub.on(CHAT, server_without(*refused))
    reader = analyst(stub)

    first = reader.analyse(SPEECH)
    tries = len(stub.requests)
    second = reader.analyse(SPEECH)

    assert [[each.ticker for each in analysis.statements] for analysis in (first, second)] == [["AAPL"], ["AAPL"]]
    assert len(stub.requests) == tries + 1
    last = stub.requests[-1].json
    assert {name: last.get(name) for name in left} == left


@pytest.mark.parametrize("refused", [("json_schema",), ("response_format",)])
def test_without_a_schema_the_instructions_ask_for_json(stub: Stub, refused: tuple[str, ...]) -> None:
    stub.on(CHAT, server_without(*refused))

    analyst(stub).analyse(SPEECH)

    assert "Respond with one JSON object" in stub.requests[-1].json["messages"][0]["content"]


def test_a_refusal_is_understood_in_the_shape_of_a_validation_error(stub: Stub) -> None:
    problem = {"detail": [{"loc": ["body", "response_format"], "msg": "Extra inputs are not permitted"}]}
    stub.on(CHAT, json_response(problem, 422), json_response(problem, 422), plain(ANSWER))

    assert len(analyst(stub).analyse(SPEECH).statements) == 1


def test_a_server_that_ignores_the_schema_is_asked_in_words(stub: Stub) -> None:
    def respond(request: Request) -> Response:
        asked = "Respond with one JSON object" in request.json["messages"][0]["content"]
        return plain(f"Here it is:\n```json\n{ANSWER}\n```" if asked else "Apple was bought.")

    stub.on(CHAT, respond)

    assert len(analyst(stub).analyse(SPEECH).statements) == 1
    assert len(stub.requests) == 2


def test_an_answer_that_is_never_json_may_be_requested_again(stub: Stub) -> None:
    stub.on(CHAT, plain('{"statements": [{"ticker": "AAP'))

    with pytest.raises(Unavailable, match="did not return a list"):
        analyst(stub).analyse(SPEECH)

    assert len(stub.requests) == 3


def test_a_refusal_of_something_else_is_final(stub: Stub) -> None:
    stub.on(CHAT, refusal("temperature must be 1"))

    with pytest.raises(Refused, match="temperature must be 1"):
        analyst(stub, temperature=0.0).analyse(SPEECH)

    assert len(stub.requests) == 1


def test_an_answer_s_bound_is_lowered_for_a_model_that_answers_shortly(stub: Stub) -> None:
    def respond(request: Request) -> Response:
        if request.json["max_completion_tokens"] > 4_096:
            return refusal("max_tokens is too large: 16000. This model supports at most 4096 completion tokens.")
        return plain(ANSWER)

    stub.on(CHAT, respond)

    assert len(analyst(stub).analyse(SPEECH).statements) == 1
    assert stub.requests[-1].json["max_completion_tokens"] == 4_000


def test_a_slow_answer_that_keeps_coming_is_waited_for(stub: Stub) -> None:
    stub.on(CHAT, streamed(pause=0.05))
    started = time.monotonic()

    found = analyst(stub).analyse(SPEECH).statements

    assert len(found) == 1
    assert time.monotonic() - started > 2 * SHORT.read_seconds


def test_silence_ends_the_wait(stub: Stub) -> None:
    stub.on(CHAT, Response(silent=True))

    with pytest.raises(Unavailable, match="did not respond in time"):
        analyst(stub).analyse(SPEECH)


def test_silence_in_the_middle_of_an_answer_ends_the_wait(stub: Stub) -> None:
    def chunks() -> Iterator[bytes]:
        yield event('{"statements": [')
        time.sleep(2 * SHORT.read_seconds)

    stub.on(CHAT, Response(200, headers=EVENTS, chunks=chunks()))

    with pytest.raises(Unavailable, match="in time"):
        analyst(stub).analyse(SPEECH)


def test_an_endless_answer_is_cut_off(stub: Stub) -> None:
    stub.on(CHAT, Response(200, headers=EVENTS, chunks=repeat(event("and so on "))))

    with pytest.raises(Unavailable, match="more than 50,000 bytes"):
        analyst(stub).analyse(SPEECH)


def test_a_stream_without_end_is_cut_off_after_the_whole_time(stub: Stub) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in count():
            time.sleep(0.1)
            yield event(" ")

    stub.on(CHAT, Response(200, headers=EVENTS, chunks=chunks()))

    with pytest.raises(Unavailable, match="in time"):
        analyst(stub, limits=Limits(read_seconds=0.5, total_seconds=0.6)).analyse(SPEECH)


def test_a_streamed_answer_that_reached_its_bound_is_requested_in_halves(stub: Stub) -> None:
    def respond(request: Request) -> Response:
        if len(request.json["messages"][1]["content"].split()) > 1_000:
            chunks = [event('{"statements": ['), event(finish="length")]
            return Response(200, headers=EVENTS, chunks=chunks)
        return streamed()

    stub.on(CHAT, respond)

    analysis = analyst(stub).analyse(Speech("I bought Apple today. " + "and so on " * 400))

    assert [statement.ticker for statement in analysis.statements] == ["AAPL"]
    assert len(stub.requests) == 3


def test_a_streamed_refusal_says_why(stub: Stub) -> None:
    chunk = {"choices": [{"index": 0, "delta": {"refusal": "I cannot help."}, "finish_reason": "stop"}]}
    stub.on(CHAT, Response(200, headers=EVENTS, chunks=[f"data: {json.dumps(chunk)}\n\n".encode()]))

    with pytest.raises(Declined, match=r"declined to answer: I cannot help\."):
        analyst(stub).analyse(SPEECH)


@pytest.mark.parametrize("chunk", [b'data: {"error": {"message": "overloaded"}}\n\n', b"data: {not json}\n\n", b"\n"])
def test_a_stream_that_breaks_off_may_be_requested_again(stub: Stub, chunk: bytes) -> None:
    stub.on(CHAT, Response(200, headers=EVENTS, chunks=[chunk]))

    with pytest.raises(Unavailable):
        analyst(stub).analyse(SPEECH)


@pytest.mark.parametrize(
    "cut",
    [
        ANSWER[: ANSWER.index('"quotes"')] + '"quotes": [], ',
        ANSWER[:-3],
        '[{"ticker": "AAPL", "quotes": [{"text": "I bought Apple today"}], ',
        ANSWER,
    ],
)
def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one(stub: Stub, cut: str) -> None:
    stub.on(CHAT, Response(200, headers=EVENTS, chunks=[event(cut)]))

    with pytest.raises(Unavailable, match="broke off"):
        analyst(stub).analyse(SPEECH)

    assert len(stub.requests) == 1


def test_a_rate_limit_is_kept(stub: Stub) -> None:
    stub.on(CHAT, json_response({"error": {"message": "slow down"}}, 429, {"Retry-After": "7"}))

    with pytest.raises(Throttled) as raised:
        analyst(stub).analyse(SPEECH)

    assert raised.value.retry_after == 7
    assert len(stub.requests) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        pytest.param(400, {"error": {"code": "context_length_exceeded", "message": "…"}}, id="openai"),
        pytest.param(
            400,
            {
                "error": {
                    "code": 400,
                    "message": "the request exceeds the available context size, try increasing it",
                    "type": "exceed_context_size_error",
                    "n_ctx": 4096,
                }
            },
            id="llama.cpp",
        ),
        pytest.param(500, {"error": {"message": "input is too large to process"}}, id="old llama.cpp"),
        pytest.param(400, {"error": {"message": "prompt too long; exceeded max context length"}}, id="ollama"),
        pytest.param(
            400,
            {
                "error": "Trying to keep the first 9011 tokens when context the overflows. However, the model is "
                "loaded with context length of only 4096 tokens, which is not enough."
            },
            id="lm studio",
        ),
        pytest.param(
            400,
            {
                "object": "error",
                "message": "This model's maximum context length is 4096 tokens. However, your request has 5000 input "
                "tokens. Please reduce the length of the input messages.",
            },
            id="vllm",
        ),
        pytest.param(400, {"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}, id="anthropic"),
        pytest.param(
            400,
            {"error": {"message": "The input token count (9000) exceeds the maximum number of tokens allowed (8192)"}},
            id="gemini",
        ),
    ],
)
def test_a_request_that_exceeds_the_window_is_sent_in_halves(stub: Stub, status: int, body: dict[str, Any]) -> None:
    def respond(request: Request) -> Response:
        too_long = len(request.json["messages"][1]["content"].split()) > 1_000
        return json_response(body, status) if too_long else plain('{"statements": []}')

    stub.on(CHAT, respond)

    assert analyst(stub).analyse(Speech("and so on " * 500)).statements == []
    assert len(stub.requests) == 3


def test_an_answer_that_leaves_no_room_for_the_transcript_is_bounded_lower_first(stub: Stub) -> None:
    def respond(request: Request) -> Response:
        if request.json["max_completion_tokens"] > 2_000:
            return refusal("'max_completion_tokens' is too large: 8000. The maximum context length is 4096 tokens.")
        return plain(ANSWER)

    stub.on(CHAT, respond)

    assert len(analyst(stub).analyse(SPEECH).statements) == 1


def test_a_server_that_cuts_the_request_in_silence_is_sent_less(stub: Stub) -> None:
    def respond(request: Request) -> Response:
        words = sum(len(message["content"].split()) for message in request.json["messages"])
        return plain(ANSWER, usage={"prompt_tokens": min(words * 4 // 3, 2_048), "completion_tokens": 5})

    stub.on(CHAT, respond)

    assert analyst(stub, cuts_prompts=True).analyse(Speech("I bought Apple today. " + "so on " * 700)).statements
    assert len(stub.requests) == 3


def test_a_server_that_counts_no_tokens_is_estimated(stub: Stub) -> None:
    stub.on(CHAT, lambda request: streamed(usage=None))

    usage = analyst(stub).analyse(SPEECH).usage

    words = sum(len(message["content"].split()) for message in stub.requests[0].json["messages"])
    assert usage.input == round(1.35 * words)
    assert usage.output == round(1.35 * len(ANSWER.split()))


def test_the_window_decides_how_much_is_sent_at_once(stub: Stub) -> None:
    stub.on(CHAT, plain('{"statements": []}'))
    speech = Speech("and so on " * 3_000)

    analyst(stub).analyse(speech)
    at_once = len(stub.requests)
    analyst(stub, window=Window(8_192)).analyse(speech)

    assert at_once == 1
    assert len(stub.requests) - at_once > 2
    for request in stub.requests[at_once:]:
        words = sum(len(message["content"].split()) for message in request.json["messages"])
        assert words / 0.75 + request.json["max_completion_tokens"] <= 8_192


def test_a_server_without_a_key_is_sent_none(stub: Stub) -> None:
    stub.on(CHAT, plain(ANSWER))

    OpenAIAnalyst(None, "small", f"{stub.url}/v1", limits=SHORT).analyse(SPEECH)

    assert "authorization" not in stub.requests[0].headers


def test_a_request_that_exceeds_the_window_of_bedrock_s_model_is_sent_in_halves(stub: Stub) -> None:
    def respond(request: Request) -> Response:
        if len(request.json["messages"][0]["content"][0]["text"].split()) > 1_000:
            error = {"x-amzn-ErrorType": "ValidationException"}
            return json_response({"message": "Input is too long for requested model."}, 400, error)
        use = {"toolUseId": "1", "name": "record_statements", "input": {"statements": []}}
        output = {"message": {"role": "assistant", "content": [{"toolUse": use}]}}
        return json_response({"output": output, "stopReason": "tool_use"})

    stub.on("/model/m/converse", respond)
    client = aws_client("bedrock-runtime", stub)

    analysis = BedrockAnalyst("m", "us-east-1", client=client).analyse(Speech("and so on " * 500))

    assert analysis.statements == []
    assert analysis.usage.input > 1_000
    assert len(stub.requests) == 3


def test_a_server_that_is_not_there_is_not_called_slow(stub: Stub) -> None:
    stub.close()

    with pytest.raises(Unavailable, match="could not be made"):
        analyst(stub).analyse(SPEECH)
