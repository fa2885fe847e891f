"""The example of settings is one that works."""

from functions.core.settings import Settings
from local.engine import ROOT


def test_the_example_as_it_stands_gives_the_defaults() -> None:
    lines = (ROOT / ".env.example").read_text().splitlines()
    example = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    assert Settings.from_environment(example) == Settings.from_environment({})
    assert set(example) == {
        "DYNAMODB_ENDPOINT",
        "DYNAMODB_TABLE_PREFIX",
        "DYNAMODB_REGION",
        "AWS_SDK_MAX_ATTEMPTS",
        "PROVIDERS",
        "YOUTUBE_API_KEY",
    }
