"""A run in Amazon States Language: list the videos, process each, price their calls, finish; or record the failure."""

from collections.abc import Mapping
from typing import Any

from functions.steps import EXPECTED_ERRORS, RETRIES, Retry

MAX_RUN_SECONDS = 48 * 60 * 60
"""Including the time it may wait for a slot."""
OVER = "RunEnded"
"""The run was cancelled, replaced, or its channel deleted. It writes nothing more, and that is in order."""

State = dict[str, Any]


def processing_definition(function_arns: Mapping[str, str], videos_at_once: int) -> dict[str, Any]:
    """`function_arns` has the ARN of each module of RUN_STEPS."""
    run = {"channel_id.$": "$.channel_id", "run_id.$": "$.run_id"}
    return {
        "Comment": "Processes the videos of one channel",
        "StartAt": "ListVideos",
        "TimeoutSeconds": MAX_RUN_SECONDS,
        "States": {
            "ListVideos": {
                **_call(function_arns["list_videos"], run),
                "Catch": _catch_run(),
                "Next": "HasPlace",
            },
            "HasPlace": {
                "Type": "Choice",
                "Choices": [
                    {"Variable": "$.must_wait", "BooleanEquals": True, "Next": "WaitForPlace"},
                    {"Variable": "$.nothing_to_do", "BooleanEquals": True, "Next": "Done"},
                ],
                "Default": "EachVideo",
            },
            "WaitForPlace": {"Type": "Wait", "SecondsPath": "$.wait_seconds", "Next": "ListVideos"},
            "EachVideo": {
                "Type": "Map",
                "ItemsPath": "$.video_ids",
                "ItemSelector": {**run, "video_id.$": "$$.Map.Item.Value"},
                "MaxConcurrency": videos_at_once,
                "ItemProcessor": _video(function_arns),
                "ResultPath": None,
                "Catch": _catch_run(),
                "Next": "BeginPricing",
            },
            "BeginPricing": {"Type": "Pass", "Parameters": {**run, "checks": 0}, "Next": "PriceCalls"},
            "PriceCalls": {
                **_call(function_arns["price_calls"], {**run, "checks.$": "$.checks"}),
                "Catch": _catch_run(),
                "Next": "HasPrices",
            },
            "HasPrices": {
                "Type": "Choice",
                "Choices": [{"Variable": "$.must_wait", "BooleanEquals": True, "Next": "WaitForPrices"}],
                "Default": "FinishRun",
            },
            "WaitForPrices": {"Type": "Wait", "SecondsPath": "$.wait_seconds", "Next": "PriceCalls"},
            "FinishRun": {
                **_call(function_arns["finish_run"], run),
                "Catch": _catch_run(),
                "Next": "IsFinished",
            },
            "IsFinished": {
                "Type": "Choice",
                "Choices": [{"Variable": "$.must_wait", "BooleanEquals": True, "Next": "WaitForPlace"}],
                "Default": "Done",
            },
            "FailRun": {
                **_call(function_arns["fail_run"], {**run, "error.$": "$.error"}),
                "Catch": [{"ErrorEquals": [OVER], "ResultPath": None, "Next": "Done"}],
                "ResultPath": None,
                "Next": "IsExpected",
            },
            "IsExpected": {
                "Type": "Choice",
                "Choices": [
                    {
                        "Or": [{"Variable": "$.error.Error", "StringEquals": error} for error in EXPECTED_ERRORS],
                        "Next": "Done",
                    }
                ],
                "Default": "Failed",
            },
            "Failed": {"Type": "Fail", "ErrorPath": "$.error.Error", "Cause": "The channel's log says why."},
            "Done": {"Type": "Succeed"},
        },
    }


def _video(function_arns: Mapping[str, str]) -> dict[str, Any]:
    """One video to its outcome. Only the end of the run stops the others."""
    video = {"channel_id.$": "$.channel_id", "run_id.$": "$.run_id", "video_id.$": "$.video_id"}
    return {
        "ProcessorConfig": {"Mode": "INLINE"},
        "StartAt": "ProcessVideo",
        "States": {
            "ProcessVideo": {
                **_call(function_arns["process_video"], video),
                "Catch": [
                    {"ErrorEquals": [OVER], "ResultPath": "$.error", "Next": "StopOtherVideos"},
                    {"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "RecordFailedVideo"},
                ],
                "End": True,
            },
            "RecordFailedVideo": {
                **_call(function_arns["record_failed_video"], {**video, "error.$": "$.error"}),
                "End": True,
            },
            "StopOtherVideos": {"Type": "Fail", "Error": OVER, "Cause": "The run is over"},
        },
    }


def _call(function_arn: str, event: Mapping[str, Any]) -> State:
    return {
        "Type": "Task",
        "Resource": function_arn,
        "Parameters": dict(event),
        "Retry": [_retry(retry) for retry in RETRIES],
    }


def _retry(retry: Retry) -> State:
    return {
        "ErrorEquals": list(retry.errors),
        "IntervalSeconds": retry.first_wait,
        "BackoffRate": retry.backoff,
        "MaxDelaySeconds": retry.longest_wait,
        # The first attempt is none of them here.
        "MaxAttempts": retry.attempts - 1,
        "JitterStrategy": "FULL",
    }


def _catch_run() -> list[State]:
    return [
        {"ErrorEquals": [OVER], "ResultPath": None, "Next": "Done"},
        {"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "FailRun"},
    ]
