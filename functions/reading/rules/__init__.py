"""The deterministic analyst: finds stocks and the speaker's advice by rules, with no model and no network."""

from functions.reading.rules.analyst import RulesAnalyst

__all__ = ["RulesAnalyst"]
