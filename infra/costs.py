"""The monthly cost of a deployment, from its templates, its use, and the prices of AWS."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from functions.runtime import observability
from infra.config import Config

PRICES_OF = "2025"
"""When the unit prices below (us-east-1, without free tiers) were noted."""
HOURS = 730
WEEKS = HOURS / 24 / 7
MILLION = 1e6
GATEWAY_CALL = 1.00 / MILLION
FUNCTION_CALL = 0.20 / MILLION
GB_SECOND = {"arm64": 13.3334 / MILLION, "x86_64": 16.6667 / MILLION}
WRITE_UNIT, READ_UNIT = 0.625 / MILLION, 0.125 / MILLION
STORED_GB, RECOVERY_GB, BACKUP_GB, EXPORTED_GB = 0.25, 0.20, 0.10, 0.10
TRANSITION = 25.0 / MILLION
CDN_CALL, CDN_GB = 1.00 / MILLION, 0.085
LOGGED_GB = 0.50
TRACE = 5.00 / MILLION
ALARM_METRIC, DASHBOARD, CUSTOM_METRIC, SECRET = 0.10, 3.00, 0.30, 0.40
WEB_ACL, WEB_ACL_RULE, WEB_ACL_CALL = 5.00, 1.00, 0.60 / MILLION

SECONDS = {"request": 0.06, "video": 3.0, "job": 0.15}
"""How long a function works on each."""
WRITES = {"video": 47, "check": 27, "story": 19}
READS = {"request": 5, "video": 9, "check": 11, "job": 3}
"""Request units of DynamoDB, as docs/performance.md counts them; a story has 1.5 tickers and its analysis."""
TRANSITIONS = {"video": 1.05, "check": 12}
LOGGED_KB = 2
"""Kilobytes a call of a function writes into its log."""
RESPONSE_KB = 5
STORY_KB = 5.4

Templates = Mapping[str, Mapping[str, Any]]
"""The templates of a system, by stack."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The work of people and channels in a month."""

    channels: int
    requests: int
    videos: int
    """Videos that are read."""
    checks: int
    stories_an_hour: int
    stored_gb: float

    @property
    def stories(self) -> int:
        return self.stories_an_hour * HOURS


DEMO = Usage(channels=5, requests=10_000, videos=200, checks=0, stories_an_hour=1, stored_gb=0.02)
PRODUCTION = Usage(channels=500, requests=3_000_000, videos=50_000, checks=15_000, stories_an_hour=100, stored_gb=1.0)


def monthly_costs(templates: Templates, config: Config, usage: Usage) -> dict[str, float]:
    """Returns dollars by what they are for."""
    jobs = scheduled_calls(templates)
    work = {
        "request": usage.requests,
        "video": usage.videos,
        "check": usage.checks,
        "job": jobs,
        "story": usage.stories,
    }
    calls = usage.requests + usage.videos + usage.checks + jobs + usage.stories / 25
    return {
        "API Gateway": usage.requests * GATEWAY_CALL,
        "Functions": calls * FUNCTION_CALL + _gb_seconds(work) * GB_SECOND[config.architecture],
        "DynamoDB requests": _units(work, WRITES) * WRITE_UNIT + _units(work, READS) * READ_UNIT,
        "DynamoDB storage, recovery, backups and exports": stored_gb(usage) * dollars_per_stored_gb(templates),
        "Step Functions": _units(work, TRANSITIONS) * TRANSITION,
        "CloudFront": usage.requests * (CDN_CALL + RESPONSE_KB / MILLION * CDN_GB),
        "Logs": calls * LOGGED_KB / MILLION * LOGGED_GB,
        "X-Ray, if every call is traced": calls * traced_share(templates) * TRACE,
        "Alarms, dashboards and custom metrics": sum(count * each for count, each in watching(templates).values()),
        "Secrets": len(list(resources(templates, "AWS::SecretsManager::Secret"))) * SECRET,
        "Web application firewall": _firewall(templates, usage),
    }


def scheduled_calls(templates: Templates) -> int:
    """How often EventBridge Scheduler calls functions in a month."""
    minutes = [
        int(found[1])
        for each in resources(templates, "AWS::Scheduler::Schedule")
        if (found := re.fullmatch(r"rate\((\d+) minutes?\)", each["ScheduleExpression"]))
    ]
    return sum(HOURS * 60 // each for each in minutes)


def stored_gb(usage: Usage) -> float:
    return usage.stored_gb + usage.stories * STORY_KB / MILLION


def dollars_per_stored_gb(templates: Templates) -> float:
    """Each backup is a full copy of the tables, kept for days, and each export another one."""
    copies: int = sum(
        rule["Lifecycle"]["DeleteAfterDays"]
        for plan in resources(templates, "AWS::Backup::BackupPlan")
        for rule in plan["BackupPlan"]["BackupPlanRule"]
    )
    tables = list(resources(templates, "AWS::DynamoDB::GlobalTable"))
    recovers: bool = any(
        replica.get("PointInTimeRecoverySpecification", {}).get("PointInTimeRecoveryEnabled")
        for table in tables
        for replica in table["Replicas"]
    )
    exports: int = sum(
        each["ScheduleExpression"].startswith("cron(") for each in resources(templates, "AWS::Scheduler::Schedule")
    )
    return STORED_GB + recovers * RECOVERY_GB + copies * BACKUP_GB + exports * WEEKS * EXPORTED_GB


def traced_share(templates: Templates) -> float:
    """The share of functions whose calls are traced."""
    modes: list[bool] = [
        each.get("TracingConfig", {}).get("Mode") == "Active" for each in resources(templates, "AWS::Lambda::Function")
    ]
    return sum(modes) / len(modes)


def watching(templates: Templates) -> dict[str, tuple[int, float]]:
    """Returns how many there are of what watches the system, and the price of each."""
    alarm_metrics = sum(
        sum("MetricStat" in each for each in alarm.get("Metrics", ())) or 1
        for alarm in resources(templates, "AWS::CloudWatch::Alarm")
    )
    return {
        "alarm metrics": (alarm_metrics, ALARM_METRIC),
        "dashboards": (len(list(resources(templates, "AWS::CloudWatch::Dashboard"))), DASHBOARD),
        "custom metrics": (len(emitted_metrics()), CUSTOM_METRIC),
    }


def emitted_metrics() -> set[str]:
    """The names under which functions report metrics of their own, each of which CloudWatch bills."""
    named = {name for name, value in vars(observability).items() if name.isupper() and isinstance(value, str)}
    return named - {"NAMESPACE", "SERVICE"}


def resources(templates: Templates, kind: str) -> Iterator[dict[str, Any]]:
    """Yields the properties of all resources of a type."""
    for template in templates.values():
        for resource in template["Resources"].values():
            if resource["Type"] == kind:
                yield resource.get("Properties", {})


def _units(work: Mapping[str, int], each: Mapping[str, float]) -> float:
    return sum(work[what] * units for what, units in each.items())


def _gb_seconds(work: Mapping[str, int]) -> float:
    """Functions have half a gigabyte, and those that read a video a whole one."""
    return sum(work[what] * seconds * (1.0 if what == "video" else 0.5) for what, seconds in SECONDS.items())


def _firewall(templates: Templates, usage: Usage) -> float:
    rules = [len(acl["Rules"]) for acl in resources(templates, "AWS::WAFv2::WebACL")]
    return sum(WEB_ACL + count * WEB_ACL_RULE + usage.requests * WEB_ACL_CALL for count in rules)
