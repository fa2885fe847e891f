"""Finds out whether Ollama answers on this machine, and which model it has."""

from functools import cache

from functions.runtime.http.json_client import JsonClient, documented_shape
from functions.runtime.http.outbound import Limits
from functions.runtime.provider_errors import ProviderError

QUICKLY = Limits(connect_seconds=0.5, read_seconds=2.0, total_seconds=2.0, bytes=1_000_000)
EMBEDDINGS = "embed"
"""Part of the names of models that cannot write."""


@cache
def installed_model(base_url: str) -> str | None:
    """Returns the first model listed, which is the one used last; None if nothing answers."""
    try:
        listed = JsonClient("Ollama", limits=QUICKLY).get_json(f"{base_url}/api/tags")
        with documented_shape("Ollama"):
            names = [str(model["name"]) for model in listed["models"]]
    except ProviderError:
        return None
    return next((name for name in names if EMBEDDINGS not in name), None)
