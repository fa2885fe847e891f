"""How much of a transcript fits into one request to a model."""

import json
import re
from dataclasses import dataclass

from functions.reading.models.prompt import INSTRUCTIONS, JSON_REMINDER, RESPONSE_SCHEMA
from functions.reading.models.responses import MIN_PIECE_WORDS

HOSTED_TOKENS = 128_000
LOCAL_TOKENS = 8_192
MIN_TOKENS = 4_096
MAX_ANSWER_TOKENS = 16_000
WORDS_PER_TOKEN = 0.75
"""Speech in any model's tokens, with a margin: names and numbers take more."""
TOKENS_PER_WORD = 1.35
"""For estimates, on average."""

_EXCEEDED = re.compile(
    r"context_length_exceeded|exceed_context_size|context (length|size|window|limit)|maximum context|"
    r"(prompt|input) (length |is )?(too long|too large|exceeds)|token count .{0,40}exceeds"
)
"""In the words of OpenAI, Anthropic, Bedrock, Gemini, llama.cpp, Ollama, LM Studio and vLLM."""


def exceeds_window(refusal: str) -> bool:
    """True if a server refused a request because of its length. Few of them have a code for that."""
    return bool(_EXCEEDED.search(refusal.lower()))


def estimated_tokens(words: int) -> int:
    return round(words * TOKENS_PER_WORD)


INSTRUCTION_TOKENS = len(f"{INSTRUCTIONS}{JSON_REMINDER}{json.dumps(RESPONSE_SCHEMA)}") // 4
"""What each request has beside the transcript, at four characters a token."""


@dataclass(frozen=True, slots=True)
class Window:
    """A model's context window, which holds the instructions, a piece of a transcript and the answer."""

    tokens: int

    @property
    def answer_tokens(self) -> int:
        return min(MAX_ANSWER_TOKENS, self.tokens // 4)

    @property
    def piece_words(self) -> int:
        """Words of a transcript in one request."""
        left = self.tokens - INSTRUCTION_TOKENS - self.answer_tokens
        return max(MIN_PIECE_WORDS, int(left * WORDS_PER_TOKEN))


HOSTED_WINDOW = Window(HOSTED_TOKENS)
