"""The settings of a deployment: read from the CDK context, checked, and typed."""

import difflib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_args

from functions.core.errors import InvalidSetting
from functions.core.settings import CHOICES

Stage = Literal["dev", "staging", "prod"]
Billing = Literal["on-demand", "provisioned"]
Auth = Literal["write", "all", "none", "jwt"]
Architecture = Literal["arm64", "x86_64"]

ROOT = Path(__file__).parent.parent
RETENTIONS = (1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653)
"""The days for which CloudWatch Logs can keep a log group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    stage: Stage = "dev"
    prefix: str = "StockTrackRecord"
    """Begins every name, so that two systems can live in one account."""
    region: str = "us-east-1"
    billing: Billing = "on-demand"
    read_capacity: int = 5
    write_capacity: int = 5
    """With provisioned billing: what a table has at the least. It may grow to twenty times that."""
    pitr: bool = True
    ttl: bool = True
    backups: bool = True
    exports: bool = True
    replica_region: str | None = None
    log_retention: int = 30
    alarm_email: str | None = None
    auth: Auth = "write"
    jwt_issuer: str | None = None
    jwt_audience: tuple[str, ...] = ()
    providers: Literal["demo", "live"] = "demo"
    videos: str | None = None
    transcripts: str | None = None
    analyst: str | None = None
    prices: str | None = None
    """One provider chosen alone, as in functions/core/settings.py."""
    bedrock_model: str | None = None
    cors_origins: tuple[str, ...] = ()
    rate_limit: int = 50
    burst_limit: int = 100
    api_domain: str | None = None
    api_certificate: str | None = None
    page_domain: str | None = None
    page_certificate: str | None = None
    tags: Mapping[str, str]
    architecture: Architecture = "arm64"
    python: str = "3.13"
    layer: Path
    page: Path = ROOT / "web" / "dist"
    """The built page. Where it is not there, nothing is uploaded."""
    emulator: bool = False
    """Leaves out the resource types that the emulator of the deploy test does not know."""

    @property
    def is_production(self) -> bool:
        return self.stage == "prod"

    @property
    def needs_keys(self) -> bool:
        """Whether any provider may ask for a key."""
        return self.providers == "live" or any((self.videos, self.transcripts, self.analyst, self.prices))


def read_config(context: Mapping[str, Any]) -> Config:
    """The settings of a context; InvalidSetting, in one sentence, for the first that cannot be used."""
    given = {name: value for name, value in context.items() if not _is_cdks_own(name) and value not in (None, "")}
    for name in given:
        _refuse_unknown(name)
    values = {name: READERS[name](name, value) for name, value in given.items()}
    values.setdefault("region", os.environ.get("CDK_DEFAULT_REGION") or "us-east-1")
    values.setdefault("tags", {})
    python, architecture = values.get("python", "3.13"), values.get("architecture", "arm64")
    values.setdefault("layer", ROOT / ".layers" / f"python{python}-{architecture}")
    config = Config(**values)
    _check_together(config)
    return config


def _is_cdks_own(name: str) -> bool:
    return name.startswith(("@", "aws:", "cdk-")) or ":" in name


def _refuse_unknown(name: str) -> None:
    if name not in READERS:
        near = difflib.get_close_matches(name, READERS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(READERS))}."
        raise InvalidSetting(f"There is no setting {name!r}; {hint}")


def _check_together(config: Config) -> None:
    if config.auth == "jwt" and not (config.jwt_issuer and config.jwt_audience):
        raise InvalidSetting("auth=jwt needs jwt_issuer and jwt_audience.")
    if config.exports and not config.pitr:
        raise InvalidSetting("exports needs pitr: DynamoDB exports from point-in-time recovery; set exports=false too.")
    if bool(config.api_domain) != bool(config.api_certificate):
        raise InvalidSetting("api_domain and api_certificate go together: set both or neither.")
    if bool(config.page_domain) != bool(config.page_certificate):
        raise InvalidSetting("page_domain and page_certificate go together: set both or neither.")
    if config.analyst == "bedrock" and not config.bedrock_model:
        raise InvalidSetting("analyst=bedrock needs bedrock_model, the id of a model or inference profile.")
    if config.replica_region == config.region:
        raise InvalidSetting(f"replica_region must be another region than {config.region}.")
    if config.replica_region and config.billing == "provisioned":
        raise InvalidSetting("replica_region needs billing=on-demand.")


def _folder(name: str, value: Any) -> Path:
    return Path(str(value)).absolute()


def _one_of(*choices: str) -> Callable[[str, Any], str]:
    def read(name: str, value: Any) -> str:
        if value not in choices:
            raise InvalidSetting(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
        return str(value)

    return read


def _matching(pattern: str, meaning: str) -> Callable[[str, Any], str]:
    def read(name: str, value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise InvalidSetting(f"{name} must be {meaning}, not {value!r}.")
        return value

    return read


def _boolean(name: str, value: Any) -> bool:
    if str(value).lower() not in ("true", "false"):
        raise InvalidSetting(f"{name} must be true or false, not {value!r}.")
    return str(value).lower() == "true"


def _whole(lowest: int, highest: int) -> Callable[[str, Any], int]:
    def read(name: str, value: Any) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit()) or not lowest <= int(text) <= highest:
            raise InvalidSetting(f"{name} must be a whole number from {lowest} to {highest}, not {value!r}.")
        return int(text)

    return read


def _retention(name: str, value: Any) -> int:
    if str(value) not in map(str, RETENTIONS):
        raise InvalidSetting(f"{name} must be a number of days that CloudWatch Logs knows {RETENTIONS}, not {value!r}.")
    return int(value)


def _list(each: Callable[[str, Any], str]) -> Callable[[str, Any], tuple[str, ...]]:
    """Commas on the command line, a list in cdk.json."""

    def read(name: str, value: Any) -> tuple[str, ...]:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list):
            raise InvalidSetting(f"{name} must be a list, or text with commas, not {value!r}.")
        return tuple(each(name, part.strip() if isinstance(part, str) else part) for part in parts)

    return read


def _tags(name: str, value: Any) -> Mapping[str, str]:
    """`Team=Data,CostCenter=42` on the command line, an object in cdk.json."""
    pairs = dict(part.partition("=")[::2] for part in value.split(",")) if isinstance(value, str) else value
    if not isinstance(pairs, dict) or not all(
        isinstance(text, str) and re.fullmatch(r"[\w .:/=+@-]{1,128}", text) for pair in pairs.items() for text in pair
    ):
        raise InvalidSetting(f"{name} must be pairs such as Team=Data,CostCenter=42, not {value!r}.")
    return pairs


_domain = _matching(
    r"(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}", "a domain such as api.example.com"
)
_region = _matching(r"[a-z]{2}(-[a-z]+)+-\d", "an AWS region such as us-east-1")
_origin = _matching(r"https?://[^/\s,]+", "an origin such as https://example.com")
_certificate = _matching(r"arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate/[\w-]+", "the ARN of an ACM certificate")

READERS: dict[str, Callable[[str, Any], Any]] = {
    "stage": _one_of(*get_args(Stage)),
    "prefix": _matching(
        r"[A-Za-z][A-Za-z0-9-]{1,38}[A-Za-z0-9]", "3 to 40 letters, digits and inner dashes, a letter first"
    ),
    "region": _region,
    "billing": _one_of(*get_args(Billing)),
    "read_capacity": _whole(1, 40_000),
    "write_capacity": _whole(1, 40_000),
    "pitr": _boolean,
    "ttl": _boolean,
    "backups": _boolean,
    "exports": _boolean,
    "replica_region": _region,
    "log_retention": _retention,
    "alarm_email": _matching(r"[^@\s,<>]+@[^@\s,<>]+\.[^@\s,<>.]+", "an email address"),
    "auth": _one_of(*get_args(Auth)),
    "jwt_issuer": _matching(r"https://\S+", "the https:// address of an issuer"),
    "jwt_audience": _list(_matching(r"\S+", "an audience")),
    "providers": _one_of("demo", "live"),
    **{what: _one_of(*choices) for what, choices in CHOICES.items()},
    "bedrock_model": _matching(r"[\w.:-]+", "the id of a model or inference profile"),
    "cors_origins": _list(_origin),
    "rate_limit": _whole(1, 10_000),
    "burst_limit": _whole(1, 5_000),
    "api_domain": _domain,
    "api_certificate": _certificate,
    "page_domain": _domain,
    "page_certificate": _certificate,
    "tags": _tags,
    "architecture": _one_of(*get_args(Architecture)),
    "python": _matching(r"3\.1[1-9]", "a Python version such as 3.13"),
    "layer": _folder,
    "page": _folder,
    "emulator": _boolean,
}

assert set(READERS) == {field.name for field in fields(Config)}, "each setting is read, and nothing else"
