"""The deterministic analyst: finds stocks and the speaker's advice by rules, without a model or network access."""

from functions.reading.rules.analyst import RulesAnalyst

__all__ = ["RulesAnalyst"]
