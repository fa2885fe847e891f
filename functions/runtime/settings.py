"""The settings, read once from the environment into a typed object."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from functions.runtime.errors import InvalidSetting

ON_LAMBDA = "AWS_LAMBDA_INITIALIZATION_TYPE" in os.environ
SERVICE = os.environ.get("POWERTOOLS_SERVICE_NAME", "stock-track-record")
"""The service name in logs and metrics. On AWS, the deployment's prefix, since an account may have two deployments."""
FRONTEND_IN_DEVELOPMENT = "http://localhost:5173"
ORIGIN_HEADER = "x-origin-verify"
"""The header in which CloudFront sends the origin secret to the API."""
LIVE_KEYS = (
    "BEDROCK_MODEL_ID",
    "EDGAR_BASE_URL",
    "FINNHUB_API_KEY",
    "FINNHUB_BASE_URL",
    "MODEL_DAILY_TOKENS",
    "MODEL_PRICE_IN",
    "MODEL_PRICE_OUT",
    "MODEL_TEMPERATURE",
    "MODEL_WINDOW_TOKENS",
    "NEWSAPI_BASE_URL",
    "NEWSAPI_KEY",
    "NEWS_CONTACT",
    "OLLAMA_BASE_URL",
    "OLLAMA_MODEL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_MODEL",
    "TIINGO_API_KEY",
    "TIINGO_BASE_URL",
    "TRANSCRIPTS_FOLDER",
    "TRANSCRIPT_BASE_URL",
    "TRANSCRIPT_LANGUAGES",
    "TRANSCRIPT_PROXY_URL",
    "WEBSHARE_PASSWORD",
    "WEBSHARE_USERNAME",
    "YAHOO_BASE_URL",
    "YAHOO_RSS_BASE_URL",
    "YOUTUBE_API_KEY",
    "YOUTUBE_BASE_URL",
)


CALL_THRESHOLD = 0.5
MAX_TRANSCRIPT_WORDS = 150_000
"""More than sixteen hours of speech, for which the rules need some 80 MB."""


@dataclass(frozen=True, slots=True)
class Providers:
    """The implementation used for each external source."""

    videos: str
    transcripts: str
    analyst: str
    prices: str


AUTO = "auto"
"""The best analyst at hand: a model that is set up, else the rules."""
CHOICES = {
    "videos": ("demo", "youtube"),
    "transcripts": ("demo", "youtube"),
    "analyst": (AUTO, "rules", "recorded", "bedrock", "openai", "ollama"),
    "prices": ("demo", "yahoo", "finnhub", "tiingo"),
}
_HOST = r"[\w.-]+|\[[\da-fA-F:]+\]"
CHECK_EVERY = ("off", "daily", "weekly")
NEWS_PROVIDERS = ("demo", "yahoo_rss", "edgar", "newsapi")
NEWS_ANALYSTS = ("rules", "bedrock")
NEWS_EVERY_MINUTES = 15
AUTH = ("none", "write", "all", "jwt", "private")
ROLE_CLAIM = "cognito:groups"
LIMITS = {"channels": 100, "notes": 500, "news": 200, "plans": 20}
METERED_READS = ("everyone", "token", "nobody")
DEMO = Providers("demo", "demo", "recorded", "demo")
LIVE = Providers("youtube", "youtube", AUTO, "yahoo")


@dataclass(frozen=True, slots=True)
class Settings:
    dynamodb_endpoint: str | None
    """The URL of a local DynamoDB engine; None for AWS."""
    table_prefix: str
    region: str
    sdk_max_attempts: int
    page_token_key: str
    """Signs page tokens. Not sensitive: a token only points into a list that its holder may read anyway."""
    cors_origins: tuple[str, ...]
    """Origins that may call the API, in addition to the frontend's development server."""
    state_machine_arn: str | None
    """The ARN of the state machine that processes channels, on AWS."""
    jobs_queue_url: str | None
    """The SQS URL of the jobs queue, on AWS."""
    news_queue_url: str | None
    """The SQS URL of the news queue, on AWS."""
    price_cache_seconds: int
    """Maximum age of a stored price before it is fetched again."""
    providers: Providers
    keys: Mapping[str, str] = field(repr=False)
    """Keys and options of the live providers."""
    secret_id: str | None
    """The Secrets Manager secret with the keys, on AWS."""
    demo_pause_seconds: float
    """Slows the demo down, so that its progress can be watched."""
    runs_at_once: int
    """Maximum number of channels processed concurrently; the others stay pending."""
    log_format: str
    """`json` for CloudWatch, `text` for people."""
    is_production: bool = False
    origin_secret_id: str | None = None
    """The Secrets Manager secret that CloudFront adds to each request; None if the API has no CloudFront."""
    edge_seconds: int = 0
    """How long CloudFront may keep this function's response to a request without a token."""
    checks_browsers: bool = False
    """Refuse mutating requests from web pages of other origins. Enabled where no token is required."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names that the local server accepts, in addition to 127.0.0.1, localhost and [::1]."""
    api_token_secret_id: str | None = None
    """The Secrets Manager secret with the token for mutating requests, on AWS."""
    call_threshold: float = CALL_THRESHOLD
    """Minimum probability, from 0 to 1, for the rules analyst to report a buy, hold or sell."""
    max_transcript_words: int = MAX_TRANSCRIPT_WORDS
    """Words of a transcript that are read; the rest is left out, and the channel's log says so."""
    review_below: float = 0.7
    """Buys, holds and sells below this confidence, from 0 to 1, are queued for review."""
    cost_bps: float = 10.0
    """Cost of each opening and each closing of a position in scores, in hundredths of a percent of its value."""
    keep_transcripts: bool = True
    """Store transcripts after analysis, so that they can be analysed again without fetching them."""
    kept_transcripts_folder: str | None = None
    """Where transcripts are stored locally."""
    kept_transcripts_bucket: str | None = None
    """Where transcripts are stored on AWS."""
    exports_folder: str | None = None
    """Where exports are stored locally."""
    exports_bucket: str | None = None
    """Where exports are stored on AWS."""
    exports_queue_url: str | None = None
    """The SQS URL of the exports queue, on AWS."""
    check_every: str = "off"
    """How often new channels are checked for new videos, by default."""
    alert_key_secret_id: str | None = None
    """The Secrets Manager secret from which the webhook signing keys are derived, on AWS."""
    alert_key_file: str | None = None
    """The file with the same secret, locally."""
    alerts_topic_arn: str | None = None
    """The first SNS topic that sends alerts by e-mail, on AWS; the others are named after it: `…-2`, `…-3`."""
    alert_topics: int = 1
    """How many of them there are."""
    webhook_allow_private: bool = False
    """Allow webhooks to private addresses and without TLS: for tests and development only."""
    auth: str = "none"
    """Who may call the API, as in infra/config.py."""
    jwt_issuer: str | None = None
    jwt_audience: tuple[str, ...] = ()
    """Whose JWTs the local server accepts, and for whom they are. On AWS, API Gateway verifies them."""
    jwt_role_claim: str = ROLE_CLAIM
    """The claim that names the roles of a JWT's subject."""
    jwt_role_prefix: str = ""
    """The prefix of the names of roles in that claim."""
    limits: Mapping[str, int] = field(default_factory=lambda: dict(LIMITS))
    """How much a person who is not an admin may add: see functions/runtime/limits.py."""
    audit_days: int = 400
    """How long it is known who changed what."""
    metered_reads: str = "everyone"
    """Whose reads may fetch from a metered price source: everyone's, token bearers', or nobody's."""

    news_providers: tuple[str, ...] = ("demo",)
    """News sources."""
    news_analyst: str = "rules"
    """The analyst that classifies news sentiment."""
    news_every_minutes: int | None = NEWS_EVERY_MINUTES
    """Minutes between two requests for a stock's news; None disables them."""

    @property
    def allowed_origins(self) -> list[str]:
        """Origins that may call the API. In production the development server is not one of them."""
        return [*(() if self.is_production else (FRONTEND_IN_DEVELOPMENT,)), *self.cors_origins]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        return cls(
            dynamodb_endpoint=_endpoint(environment, "DYNAMODB_ENDPOINT"),
            table_prefix=environment.get("DYNAMODB_TABLE_PREFIX") or "StockTrackRecord",
            region=environment.get("DYNAMODB_REGION") or environment.get("AWS_REGION") or "us-east-1",
            sdk_max_attempts=_positive(environment, "AWS_SDK_MAX_ATTEMPTS", default=3),
            page_token_key=environment.get("PAGE_TOKEN_KEY") or "any key on a laptop",
            cors_origins=_list(environment, "CORS_ORIGINS"),
            state_machine_arn=environment.get("STATE_MACHINE_ARN") or None,
            jobs_queue_url=environment.get("JOBS_QUEUE_URL") or None,
            news_queue_url=environment.get("NEWS_QUEUE_URL") or None,
            price_cache_seconds=_positive(environment, "PRICE_CACHE_SECONDS", default=900),
            providers=_providers(environment),
            keys=_keys(environment),
            secret_id=environment.get("KEYS_SECRET_ID") or None,
            demo_pause_seconds=_seconds(environment, "DEMO_PAUSE_SECONDS"),
            runs_at_once=_positive(environment, "RUNS_AT_ONCE", default=32),
            log_format=_log_format(environment),
            is_production=environment.get("STAGE") == "prod",
            origin_secret_id=environment.get("ORIGIN_SECRET_ID") or None,
            edge_seconds=_positive(environment, "EDGE_SECONDS", default=1) if environment.get("EDGE_SECONDS") else 0,
            checks_browsers=_one_of(environment, "CHECK_BROWSERS", ("false", "true")) == "true",
            allowed_hosts=tuple(name.lower() for name in _list(environment, "ALLOWED_HOSTS")),
            api_token_secret_id=environment.get("API_TOKEN_SECRET_ID") or None,
            call_threshold=_share(environment, "CALL_THRESHOLD", default=CALL_THRESHOLD),
            max_transcript_words=_positive(environment, "MAX_TRANSCRIPT_WORDS", default=MAX_TRANSCRIPT_WORDS),
            review_below=_share(environment, "REVIEW_BELOW", default=0.7),
            cost_bps=_basis_points(environment, "COST_BPS", default=10.0),
            keep_transcripts=_one_of(environment, "KEEP_TRANSCRIPTS", ("true", "false")) == "true",
            kept_transcripts_folder=environment.get("KEPT_TRANSCRIPTS_FOLDER") or None,
            kept_transcripts_bucket=environment.get("KEPT_TRANSCRIPTS_BUCKET") or None,
            exports_folder=environment.get("EXPORTS_FOLDER") or None,
            exports_bucket=environment.get("EXPORTS_BUCKET") or None,
            exports_queue_url=environment.get("EXPORTS_QUEUE_URL") or None,
            check_every=_check_every(environment),
            alert_key_secret_id=environment.get("ALERT_KEY_SECRET_ID") or None,
            alert_key_file=environment.get("ALERT_KEY_FILE") or None,
            alerts_topic_arn=environment.get("ALERTS_TOPIC_ARN") or None,
            alert_topics=_positive(environment, "ALERT_TOPICS", default=1),
            webhook_allow_private=_one_of(environment, "WEBHOOK_ALLOW_PRIVATE", ("false", "true")) == "true",
            auth=_one_of(environment, "API_AUTH", AUTH),
            jwt_issuer=environment.get("JWT_ISSUER") or None,
            jwt_audience=_list(environment, "JWT_AUDIENCE"),
            jwt_role_claim=environment.get("JWT_ROLE_CLAIM") or ROLE_CLAIM,
            jwt_role_prefix=environment.get("JWT_ROLE_PREFIX") or "",
            limits=_limits(environment),
            audit_days=_positive(environment, "AUDIT_DAYS", default=400),
            metered_reads=_one_of(environment, "METERED_READS", METERED_READS),
            news_providers=_news_providers(environment),
            news_analyst=_one_of(environment, "NEWS_ANALYST", NEWS_ANALYSTS),
            news_every_minutes=_minutes_or_off(environment, "NEWS_EVERY", default=NEWS_EVERY_MINUTES),
        )


def base_url(name: str, value: str) -> str:
    """Validates a service's URL and removes a trailing slash."""
    address = value.strip()
    if not re.fullmatch(rf"https?://({_HOST})(:\d{{1,5}})?(/[\w.~%-]+)*/?", address, re.ASCII):
        raise InvalidSetting(f"{name} must be an address such as https://HOST/PATH, not {value!r}")
    return address.rstrip("/")


@cache
def settings() -> Settings:
    return Settings.from_environment(os.environ)


def _endpoint(environment: Mapping[str, str], name: str) -> str | None:
    value = environment.get(name, "").strip()
    if value and not re.fullmatch(rf"https?://({_HOST})(:\d+)?/?", value):
        raise InvalidSetting(f"{name} must be http://HOST:PORT or https://HOST:PORT, not {value!r}")
    return value or None


def _keys(environment: Mapping[str, str]) -> dict[str, str]:
    given = {name: environment[name] for name in LIVE_KEYS if environment.get(name)}
    return {name: base_url(name, value) if name.endswith("_BASE_URL") else value for name, value in given.items()}


def _positive(environment: Mapping[str, str], name: str, *, default: int) -> int:
    value = environment.get(name) or str(default)
    if not value.isascii() or not value.isdigit() or int(value) < 1:
        raise InvalidSetting(f"{name} must be a whole number of at least 1, not {value!r}")
    return int(value)


def _limits(environment: Mapping[str, str]) -> dict[str, int]:
    """Reads such as `channels=200,plans=5`; what is not named keeps its default."""
    chosen = [part.partition("=")[::2] for part in _list(environment, "LIMITS")]
    for name, value in chosen:
        if name not in LIMITS or not re.fullmatch(r"\d{1,5}", value, re.ASCII):
            raise InvalidSetting(f"LIMITS must be such as channels=100,plans=20, of {', '.join(LIMITS)}, not {name!r}")
    return LIMITS | {name: int(value) for name, value in chosen}


def _list(environment: Mapping[str, str], name: str) -> tuple[str, ...]:
    return tuple(part for part in (part.strip() for part in environment.get(name, "").split(",")) if part)


def _providers(environment: Mapping[str, str]) -> Providers:
    """PROVIDERS sets all of them; each can be overridden by its own setting."""
    chosen = {"demo": DEMO, "live": LIVE}[_one_of(environment, "PROVIDERS", ("demo", "live"))]
    own = {
        what: _one_of(environment, f"{what.upper()}_PROVIDER", choices)
        for what, choices in CHOICES.items()
        if environment.get(f"{what.upper()}_PROVIDER")
    }
    return replace(chosen, **own)


def _check_every(environment: Mapping[str, str]) -> str:
    """The demo never has new videos, so its channels are checked only on request."""
    default = "off" if _providers(environment).videos == "demo" else "daily"
    return _one_of({"CHECK_EVERY": default, **_given(environment, "CHECK_EVERY")}, "CHECK_EVERY", CHECK_EVERY)


def _news_providers(environment: Mapping[str, str]) -> tuple[str, ...]:
    """EDGAR and NewsAPI need additional settings, so they are used only if they are named."""
    is_demo = environment.get("PROVIDERS", "demo") in ("", "demo")
    chosen = tuple(dict.fromkeys(_list(environment, "NEWS_PROVIDERS"))) or (("demo",) if is_demo else ("yahoo_rss",))
    if unknown := [name for name in chosen if name not in NEWS_PROVIDERS]:
        raise InvalidSetting(f"NEWS_PROVIDERS must be some of {', '.join(NEWS_PROVIDERS)}, not {unknown[0]!r}")
    return chosen


def _minutes_or_off(environment: Mapping[str, str], name: str, *, default: int) -> int | None:
    value = environment.get(name) or str(default)
    if value == "off":
        return None
    if not value.isascii() or not value.isdigit() or not 1 <= int(value) <= 1440:
        raise InvalidSetting(f"{name} must be off or a whole number of minutes from 1 to 1440, not {value!r}")
    return int(value)


def _given(environment: Mapping[str, str], name: str) -> dict[str, str]:
    return {name: environment[name]} if environment.get(name) else {}


def _log_format(environment: Mapping[str, str]) -> str:
    on_lambda = "AWS_LAMBDA_FUNCTION_NAME" in environment
    return _one_of(environment, "LOG_FORMAT", ("json", "text") if on_lambda else ("text", "json"))


def _one_of(environment: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    value = environment.get(name) or choices[0]
    if value not in choices:
        raise InvalidSetting(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return value


def _share(environment: Mapping[str, str], name: str, *, default: float) -> float:
    value = environment.get(name) or str(default)
    if not re.fullmatch(r"0(\.\d{1,4})?|1(\.0{1,4})?", value):
        raise InvalidSetting(f"{name} must be a number from 0 to 1, such as 0.6, not {value!r}")
    return float(value)


def _basis_points(environment: Mapping[str, str], name: str, *, default: float) -> float:
    value = environment.get(name) or str(default)
    if not re.fullmatch(r"\d{1,5}(\.\d{1,4})?", value) or float(value) > 10_000:
        raise InvalidSetting(f"{name} must be a number from 0 to 10000, such as 10, not {value!r}")
    return float(value)


def _seconds(environment: Mapping[str, str], name: str) -> float:
    value = environment.get(name) or "0"
    try:
        seconds = float(value)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= 3600:
        raise InvalidSetting(f"{name} must be a number of seconds from 0 to 3600, not {value!r}")
    return seconds
