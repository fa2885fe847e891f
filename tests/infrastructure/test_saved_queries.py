"""The saved queries filter in CloudWatch what tests/integration/record/test_run_logs.py filters in real log lines."""

from functions.routes import FALLBACK, ROUTES
from functions.steps import STEPS
from infra.saved_queries import API_ERRORS, ERRORS, ONE_RUN, QUERIES
from tests.infrastructure.conftest import Synthesise
from tests.infrastructure.templates import text

MAX_LOG_GROUPS = 50
"""The most log groups that a query of CloudWatch Logs Insights can read."""


def test_each_is_saved_with_its_own_filter_for_the_functions_it_names(system: Synthesise) -> None:
    saved = {
        each["Properties"]["Name"]: each["Properties"]
        for each in system().resources("AWS::Logs::QueryDefinition").values()
    }

    for query in QUERIES:
        definition = saved[f"StockTrackRecord/{query.title}"]
        assert f"filter {query.filter}\n" in text(definition["QueryString"]) + "\n"
        groups = {text(name) for name in definition["LogGroupNames"]}
        assert groups == {f"/aws/lambda/StockTrackRecord-{log.replace('_', '-')}" for log in query.logs}


def test_no_query_reads_more_logs_than_cloudwatch_takes(system: Synthesise) -> None:
    for each in system().resources("AWS::Logs::QueryDefinition").values():
        assert len(each["Properties"]["LogGroupNames"]) <= MAX_LOG_GROUPS, each["Properties"]["Name"]


def test_errors_of_every_function_are_found(system: Synthesise) -> None:
    """In a log of its own, or in the one that the functions of its resource share."""
    names = {
        name.partition("/")[2]: each["Properties"]["LogGroupName"]
        for name, each in system().resources("AWS::Logs::LogGroup").items()
    }
    functions = system().functions()
    written = {module: names[functions[module]["LoggingConfig"]["LogGroup"]["Ref"]] for module in functions}

    read = {f"/aws/lambda/StockTrackRecord-{log.replace('_', '-')}" for log in (*ERRORS.logs, *API_ERRORS.logs)}
    assert {written[each.module] for each in (*ROUTES, FALLBACK, *STEPS)} == read
    assert all(written[route.module] == f"/aws/lambda/StockTrackRecord-api-{route.resource}" for route in ROUTES)


def test_their_filters_are_what_an_operator_reads() -> None:
    assert {query.title: query.filter for query in QUERIES} == {
        "Errors of the pipeline": "level = 'ERROR'",
        "Errors of the API": "level = 'ERROR'",
        "One request": "correlation_id = 'the request id'",
        "One run": "run_id = 'the run id'",
        "One channel": "channel_id = 'the channel id'",
        "One plan": "plan_id = 'the plan id'",
        "One task": "task = 'the plan id/the key of the task'",
        "One alert": "alert_id = 'the alert id'",
        "Series that were not fetched": "message = 'A series was not fetched'",
        "Feeds that could not be read": "message = 'A feed could not be read'",
    }
    assert {step.module for step in STEPS} <= set(ONE_RUN.logs)


def test_cold_starts_are_read_from_lambdas_own_json(system: Synthesise) -> None:
    assert {each["LoggingConfig"]["LogFormat"] for each in system().functions().values()} == {"JSON"}
    cold_starts = [
        each["Properties"]
        for each in system().resources("AWS::Logs::QueryDefinition").values()
        if "Cold starts" in each["Properties"]["Name"]
    ]
    assert {text(name) for each in cold_starts for name in each["LogGroupNames"]} == {
        f"/aws/lambda/StockTrackRecord-{log.replace('_', '-')}" for log in (*ERRORS.logs, *API_ERRORS.logs)
    }
    for each in cold_starts:
        assert "type = 'platform.report' and ispresent(record.metrics.initDurationMs)" in each["QueryString"]
