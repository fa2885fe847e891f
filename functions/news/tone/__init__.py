"""Reads the tone of headlines by rules, without a model or network access."""

from functions.news.tone.tone import Tone, read_tone

__all__ = ["Tone", "read_tone"]
