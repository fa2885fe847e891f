"""The saved queries filter in CloudWatch what tests/integration/test_run_logs.py filters in real log lines."""

from functions.steps import STEPS
from infra.saved_queries import ERRORS, ONE_RUN, QUERIES
from tests.infrastructure.conftest import Synthesise
from tests.infrastructure.templates import text

MAX_LOG_GROUPS = 50
"""What a query of CloudWatch Logs Insights can read."""


def test_each_is_saved_with_its_own_filter_for_the_functions_it_names(system: Synthesise) -> None:
    saved = {
        each["Properties"]["Name"]: each["Properties"]
        for each in system().resources("AWS::Logs::QueryDefinition").values()
    }

    for query in QUERIES:
        definition = saved[f"StockTrackRecord/{query.title}"]
        assert f"filter {query.filter}\n" in text(definition["QueryString"]) + "\n"
        groups = {text(name) for name in definition["LogGroupNames"]}
        assert groups == {f"/aws/lambda/StockTrackRecord-{module.replace('_', '-')}" for module in query.modules}
        assert len(groups) <= MAX_LOG_GROUPS


def test_their_filters_are_what_an_operator_reads() -> None:
    assert {query.title: query.filter for query in QUERIES} == {
        "Errors": "level = 'ERROR'",
        "One request": "correlation_id = 'the request id'",
        "One run": "run_id = 'the run id'",
        "One channel": "channel_id = 'the channel id'",
        "Series that were not fetched": "message = 'A series was not fetched'",
    }
    assert {step.module for step in STEPS} <= set(ERRORS.modules) & set(ONE_RUN.modules)


def test_cold_starts_are_read_from_lambdas_own_json(system: Synthesise) -> None:
    assert {each["LoggingConfig"]["LogFormat"] for each in system().functions().values()} == {"JSON"}
    (cold_starts,) = [
        each["Properties"]["QueryString"]
        for each in system().resources("AWS::Logs::QueryDefinition").values()
        if "Cold starts" in each["Properties"]["Name"]
    ]
    assert "type = 'platform.report' and ispresent(record.metrics.initDurationMs)" in cold_starts
