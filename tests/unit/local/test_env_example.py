"""The settings as they are documented are the settings there are."""

from functions.runtime.settings import CHOICES, LIVE_KEYS, Settings
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
        "RUNS_AT_ONCE",
        "CHECK_EVERY",
        "KEEP_TRANSCRIPTS",
        "KEPT_TRANSCRIPTS_FOLDER",
        "EXPORTS_FOLDER",
        "ALERT_KEY_FILE",
        "WEBHOOK_ALLOW_PRIVATE",
        "NEWS_PROVIDERS",
        "NEWS_EVERY",
        "NEWS_ANALYST",
        "YAHOO_RSS_BASE_URL",
        "EDGAR_BASE_URL",
        "NEWSAPI_BASE_URL",
        "LOG_FORMAT",
        "PROVIDERS",
        "YOUTUBE_API_KEY",
        "YOUTUBE_BASE_URL",
        "TRANSCRIPT_BASE_URL",
        "YAHOO_BASE_URL",
        "TIINGO_BASE_URL",
        "FINNHUB_BASE_URL",
    }


def test_how_to_choose_each_provider_alone_is_documented() -> None:
    page = (ROOT / "docs" / "providers.md").read_text()
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}

    for what, choices in CHOICES.items():
        row = rows[f"{what.upper()}_PROVIDER"]
        assert all(f"`{choice}`" in row for choice in choices)
    assert all(f"`{key}`" in page for key in LIVE_KEYS)
