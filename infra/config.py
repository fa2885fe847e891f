"""The settings of a deployment: read from the CDK context and the stage's file, validated and typed."""

import difflib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import (
    AUTO,
    CHECK_EVERY,
    CHOICES,
    LIMITS,
    MAX_TRANSCRIPT_WORDS,
    NEWS_ANALYSTS,
    NEWS_PROVIDERS,
    ROLE_CLAIM,
)

Stage = Literal["dev", "staging", "prod"]
Billing = Literal["on-demand", "provisioned"]
Auth = Literal["write", "all", "none", "jwt", "private"]
Architecture = Literal["arm64", "x86_64"]

ROOT = Path(__file__).parent.parent
STAGE_FILES = ROOT / "config"
PRODUCT = "StockTrackRecord"
CLOUDFRONT_REGION = "us-east-1"
"""The region of everything that belongs to CloudFront: its web ACLs and certificates."""
RETENTIONS = (1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653)
"""The retention periods, in days, that CloudWatch Logs supports."""


_LIMIT = rf"({'|'.join(LIMITS)})=\d{{1,5}}"
LIMITS_PATTERN = rf"{_LIMIT}(,{_LIMIT})*"
ANALYSTS = tuple(name for name in CHOICES["analyst"] if name != "ollama")
"""Ollama runs on one's own machine."""
BEDROCK_MODEL = "global.anthropic.claude-haiku-4-5-20251001-v1:0"
"""Capable of tool use, and reachable from every commercial region through its global inference profile."""


def _reads_with_bedrock(providers: str, analyst: str | None) -> bool:
    return analyst in ("bedrock", AUTO) if analyst else providers == "live"


def _one_of(*choices: str) -> BeforeValidator:
    return _accept(lambda value: value in choices, f"one of {', '.join(choices)}")


def _matching(pattern: str, meaning: str) -> BeforeValidator:
    return _accept(lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value)), meaning)


def _accept(is_valid: Callable[[Any], bool], meaning: str) -> BeforeValidator:
    """Returns a valid value; otherwise says what it must be, as the middle of a sentence."""

    def check(value: Any) -> Any:
        if not is_valid(value):
            raise ValueError(meaning)
        return value

    return BeforeValidator(check)


def _whole(lowest: int, highest: int) -> BeforeValidator:
    def read(value: Any) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit()) or not lowest <= int(text) <= highest:
            raise ValueError(f"a whole number from {lowest} to {highest}")
        return int(text)

    return BeforeValidator(read)


def _read_switch(value: Any) -> bool:
    if str(value).lower() not in ("true", "false"):
        raise ValueError("true or false")
    return str(value).lower() == "true"


def _read_retention(value: Any) -> int:
    if str(value) not in map(str, RETENTIONS):
        raise ValueError(f"a number of days that CloudWatch Logs knows {RETENTIONS}")
    return int(value)


def _read_list(value: Any) -> list[Any]:
    """Commas on the command line, a list in a file."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list):
        raise ValueError("a list, or text with commas")
    return [part.strip() if isinstance(part, str) else part for part in parts]


def _read_tags(value: Any) -> Mapping[str, str]:
    """`Team=Data,CostCenter=42` on the command line, an object in a file."""
    pairs = dict(part.partition("=")[::2] for part in value.split(",")) if isinstance(value, str) else value
    if not isinstance(pairs, dict) or not all(
        isinstance(text, str) and re.fullmatch(r"[\w .:/=+@-]{1,128}", text) for pair in pairs.items() for text in pair
    ):
        raise ValueError("pairs such as Team=Data,CostCenter=42")
    return pairs


def _read_folder(value: Any) -> Path:
    return Path(str(value)).absolute()


Switch = Annotated[bool, BeforeValidator(_read_switch)]
Folder = Annotated[Path, BeforeValidator(_read_folder)]
Region = Annotated[str, _matching(r"[a-z]{2}(-[a-z]+)+-\d", "an AWS region such as us-east-1")]
Domain = Annotated[
    str,
    _matching(r"(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}", "a domain such as api.example.com"),
]
Certificate = Annotated[
    str, _matching(r"arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate/[\w-]+", "the ARN of an ACM certificate")
]
Origin = Annotated[str, _matching(r"https?://[^/\s,]+", "an origin such as https://example.com")]
NewsProvider = Annotated[str, _one_of(*NEWS_PROVIDERS)]
Audience = Annotated[str, _matching(r"\S+", "an audience")]


class Config(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False)

    stage: Annotated[Stage, _one_of(*get_args(Stage))] = "dev"
    prefix: Annotated[
        str,
        _matching(r"[A-Za-z][A-Za-z0-9-]{1,38}[A-Za-z0-9]", "3 to 40 letters, digits and inner dashes, a letter first"),
    ] = Field(default_factory=lambda given: PRODUCT if given["stage"] == "dev" else f"{PRODUCT}-{given['stage']}")
    """The prefix of every name, so that two systems can share an account. Each stage has its own."""
    region: Region = Field(default_factory=lambda: os.environ.get("CDK_DEFAULT_REGION") or "us-east-1")
    billing: Annotated[Billing, _one_of(*get_args(Billing))] = "on-demand"
    read_capacity: Annotated[int, _whole(1, 40_000)] = 5
    write_capacity: Annotated[int, _whole(1, 40_000)] = 5
    """With provisioned billing: the minimum capacity of a table, which may scale to twenty times that."""
    pitr: Switch = True
    ttl: Switch = True
    backups: Switch = True
    exports: Switch = True
    replica_region: Region | None = None
    log_retention: Annotated[int, BeforeValidator(_read_retention)] = 30
    alarm_email: Annotated[str, _matching(r"[^@\s,<>]+@[^@\s,<>]+\.[^@\s,<>.]+", "an email address")] | None = None
    monthly_budget: Annotated[int, _whole(0, 1_000_000)] = Field(
        default_factory=lambda given: 200 if given["stage"] == "prod" else 50
    )
    """In US dollars, for the whole account; 0 for no budget."""
    auth: Annotated[Auth, _one_of(*get_args(Auth))] = "write"
    jwt_issuer: Annotated[str, _matching(r"https://\S+", "the https:// address of an issuer")] | None = None
    jwt_audience: Annotated[tuple[Audience, ...], BeforeValidator(_read_list)] = ()
    jwt_role_claim: Annotated[str, _matching(r"[\x21-\x7e]+", "the name of a claim")] = ROLE_CLAIM
    jwt_role_prefix: Annotated[str, _matching(r"[\x21-\x7e]*", "text without spaces")] = ""
    """The claim that names the roles of a JWT's subject, and what the names of roles begin with."""
    limits: Annotated[str, _matching(LIMITS_PATTERN, "such as channels=100,notes=500,news=200,plans=20")] | None = None
    """How much a person who is not an admin may add in a day, or have open."""
    audit_days: Annotated[int, _whole(1, 3_650)] = 400
    """How long it is known who changed what."""
    providers: Annotated[Literal["demo", "live"], _one_of("demo", "live")] = "demo"
    videos: Annotated[str, _one_of(*CHOICES["videos"])] | None = None
    transcripts: Annotated[str, _one_of(*CHOICES["transcripts"])] | None = None
    analyst: Annotated[str, _one_of(*ANALYSTS)] | None = None
    prices: Annotated[str, _one_of(*CHOICES["prices"])] | None = None
    """Overrides a single provider, as in functions/runtime/settings.py."""
    bedrock_model: Annotated[str, _matching(r"[\w.:-]+", "the id of a model or inference profile")] | None = Field(
        default_factory=lambda given: (
            BEDROCK_MODEL if _reads_with_bedrock(given["providers"], given["analyst"]) else None
        )
    )
    """The model on Amazon Bedrock that reads transcripts, unless the analyst is another one."""
    call_threshold: Annotated[str, _matching(r"0(\.\d{1,4})?|1(\.0{1,4})?", "a number from 0 to 1")] | None = None
    """Minimum probability of a buy, hold or sell to be reported."""
    max_transcript_words: Annotated[int, _whole(1000, 1_000_000)] = MAX_TRANSCRIPT_WORDS
    """Words of a transcript that are read."""
    keep_transcripts: Switch = True
    """Store transcripts after analysis. The bucket exists in either case."""
    review_below: Annotated[str, _matching(r"0(\.\d{1,4})?|1(\.0{1,4})?", "a number from 0 to 1")] | None = None
    """Mentions below this confidence are queued for review."""
    cost_bps: Annotated[str, _matching(r"\d{1,4}(\.\d{1,4})?", "a number from 0 to 9999")] | None = None
    """Cost of each opening and closing of a position in scores, in hundredths of a percent."""
    videos_at_once: Annotated[int, _whole(1, 40)] = 2
    runs_at_once: Annotated[int, _whole(1, 100)] = 2
    """Leaves capacity for the API and the job workers in an account with ten concurrent executions."""
    workers_at_once: Annotated[int, _whole(2, 100)] = 2
    """Workers of each queue. Two is the fewest that Lambda allows; more may wait for the price source."""
    alert_topics: Annotated[int, _whole(1, 50)] = 5
    """Topics that send alerts by e-mail, each to 200 addresses."""
    check_every: Annotated[str, _one_of(*CHECK_EVERY)] | None = None
    """How often a new channel is checked for new videos; daily with live videos, off in the demo."""
    news: Annotated[tuple[NewsProvider, ...], BeforeValidator(_read_list)] = ()
    """News sources; by default the demo's, or Yahoo's feeds with live providers."""
    news_analyst: Annotated[str, _one_of(*NEWS_ANALYSTS)] | None = None
    news_every: (
        Annotated[
            str,
            _accept(
                lambda value: value == "off" or (str(value).isdigit() and 15 <= int(value) <= 1440),
                "off or a whole number of minutes from 15 to 1440",
            ),
        ]
        | None
    ) = None
    """How often a stock's news is requested."""
    cors_origins: Annotated[tuple[Origin, ...], BeforeValidator(_read_list)] = ()
    rate_limit: Annotated[int, _whole(1, 10_000)] = 50
    burst_limit: Annotated[int, _whole(1, 5_000)] = 100
    metered_rate_limit: Annotated[int, _whole(1, 10_000)] = 5
    metered_burst_limit: Annotated[int, _whole(1, 5_000)] = 10
    """The throttle of public routes that may call a metered provider."""
    api_domain: Domain | None = None
    api_certificate: Certificate | None = None
    page_domain: Domain | None = None
    page_certificate: Certificate | None = None
    waf: Switch = Field(default_factory=lambda given: given["stage"] == "prod" and given["region"] == CLOUDFRONT_REGION)
    """A web ACL in front of the page and the API."""
    reserve_concurrency: Switch = False
    """Reserves concurrent executions for the pipeline. AWS requires 100 to be left, and a new account may have 10."""
    tags: Annotated[Mapping[str, str], BeforeValidator(_read_tags)] = Field(default_factory=dict)
    architecture: Annotated[Architecture, _one_of(*get_args(Architecture))] = "arm64"
    python: Annotated[str, _matching(r"3\.1[1-9]", "a Python version such as 3.13")] = "3.13"
    layer: Folder = Field(
        default_factory=lambda given: ROOT / ".layers" / f"python{given['python']}-{given['architecture']}"
    )
    page: Folder = ROOT / "web" / "dist"
    """The built page. If it does not exist, nothing is uploaded."""
    emulator: Switch = False
    """Omits the resource types that the emulator of the deploy test does not support."""
    direct_api: Switch = Field(default_factory=lambda given: given["emulator"] or given["api_domain"] is not None)
    """True if the API is reachable at its own address, not only through CloudFront."""

    @property
    def uses_jwt(self) -> bool:
        return self.auth in ("jwt", "private")

    @property
    def is_production(self) -> bool:
        return self.stage == "prod"

    @property
    def needs_keys(self) -> bool:
        """True if any provider may need a key."""
        chosen = (self.videos, self.transcripts, self.analyst, self.prices)
        return self.providers == "live" or any(chosen) or bool({"edgar", "newsapi"} & set(self.news))

    @property
    def reads_with_bedrock(self) -> bool:
        """True if a model on Amazon Bedrock reads transcripts."""
        return _reads_with_bedrock(self.providers, self.analyst)

    @property
    def has_live_prices(self) -> bool:
        return self.prices != "demo" if self.prices else self.providers == "live"

    @model_validator(mode="after")
    def _check_together(self) -> "Config":
        for is_wrong, sentence in self._conflicts():
            if is_wrong:
                raise ValueError(sentence)
        return self

    def _conflicts(self) -> Iterable[tuple[bool, str]]:
        return (
            (
                self.uses_jwt and not (self.jwt_issuer and self.jwt_audience),
                f"auth={self.auth} needs jwt_issuer and jwt_audience.",
            ),
            (
                self.exports and not self.pitr,
                "exports needs pitr: DynamoDB exports from point-in-time recovery; set exports=false too.",
            ),
            (
                bool(self.api_domain) != bool(self.api_certificate),
                "api_domain and api_certificate go together: set both or neither.",
            ),
            (
                bool(self.page_domain) != bool(self.page_certificate),
                "page_domain and page_certificate go together: set both or neither.",
            ),
            (
                self.news_analyst == "bedrock" and not self.bedrock_model,
                "news_analyst=bedrock needs bedrock_model, the id of a model or inference profile.",
            ),
            (self.replica_region == self.region, f"replica_region must be another region than {self.region}."),
            (
                bool(self.replica_region) and self.billing == "provisioned",
                "replica_region needs billing=on-demand.",
            ),
            (
                self.api_domain is not None and not self.direct_api,
                "api_domain needs direct_api=true: a domain of the API's own goes past CloudFront.",
            ),
            (
                self.waf and self.region != CLOUDFRONT_REGION,
                f"waf=true needs region={CLOUDFRONT_REGION}, the only one where CloudFront's web ACLs can be made.",
            ),
        )


def read_config(context: Mapping[str, Any]) -> Config:
    """Reads the settings of a context; raises InvalidSetting, in one sentence, for the first invalid one."""
    given = {name: value for name, value in context.items() if not _is_cdks_own(name) and value not in (None, "")}
    for name in given:
        _refuse_unknown(name)
    try:
        return Config.model_validate(given)
    except ValidationError as refused:
        raise InvalidSetting(_sentence(refused)) from None


def with_stage_file(context: Mapping[str, Any], folder: Path = STAGE_FILES) -> dict[str, Any]:
    """The context, which overrides `config/{stage}.json`."""
    stage = read_config({"stage": context.get("stage")}).stage
    file = folder / f"{stage}.json"
    if not file.exists():
        return dict(context)
    try:
        settings = json.loads(file.read_text())
    except ValueError as problem:
        raise InvalidSetting(f"{file} is not JSON: {problem}.") from None
    if not isinstance(settings, dict) or "stage" in settings:
        raise InvalidSetting(f"{file} must be a JSON object of the settings of {stage}, without stage itself.")
    return {**settings, **context}


def context_of_arguments(arguments: Iterable[str]) -> dict[str, Any]:
    """Parses `-c name=value` like the CDK command line, on top of cdk.json."""
    context: dict[str, Any] = dict(json.loads((ROOT / "cdk.json").read_text()).get("context", {}))
    for argument in arguments:
        name, is_given, value = argument.partition("=")
        if not is_given:
            raise InvalidSetting(f"A setting is written as -c name=value, not -c {argument}.")
        context[name] = value
    return context


def _is_cdks_own(name: str) -> bool:
    return name.startswith(("@", "aws:", "cdk-")) or ":" in name


def _refuse_unknown(name: str) -> None:
    names = Config.model_fields
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(names))}."
        raise InvalidSetting(f"There is no setting {name!r}; {hint}")


def _sentence(refused: ValidationError) -> str:
    problem = refused.errors()[0]
    reason = problem["ctx"]["error"]
    if not problem["loc"]:
        return str(reason)
    return f"{problem['loc'][0]} must be {reason}, not {problem['input']!r}."
