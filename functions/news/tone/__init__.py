"""Reads the tone of headlines by rules, with no model and no network."""

from functions.news.tone.tone import Tone, read_tone

__all__ = ["Tone", "read_tone"]
