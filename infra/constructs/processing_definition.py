"""How a run goes, in the States Language: list the videos, process each, finish; and what to do when a step fails."""

from collections.abc import Mapping
from typing import Any

from functions.steps import NOBODYS_FAULT, PASSING_FAULTS, TOLD_PROBLEMS, VIDEOS_AT_ONCE

LONGEST_RUN_SECONDS = 3 * 60 * 60
LAMBDA_FAULTS = (
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.TooManyRequestsException",
)
OVER = "RunEnded"
"""The run was cancelled, replaced, or its channel deleted. It writes nothing more, and that is in order."""

State = dict[str, Any]


def processing_definition(function_arns: Mapping[str, str]) -> dict[str, Any]:
    """`function_arns` has the ARN of each module of RUN_STEPS."""
    run = {"channel_id.$": "$.channel_id", "run_id.$": "$.run_id"}
    return {
        "Comment": "Processes the videos of one channel",
        "StartAt": "ListVideos",
        "TimeoutSeconds": LONGEST_RUN_SECONDS,
        "States": {
            "ListVideos": {
                **_call(function_arns["list_videos"], run),
                "Catch": _catch_run(),
                "Next": "EachVideo",
            },
            "EachVideo": {
                "Type": "Map",
                "ItemsPath": "$.video_ids",
                "ItemSelector": {**run, "video_id.$": "$$.Map.Item.Value"},
                "MaxConcurrency": VIDEOS_AT_ONCE,
                "ItemProcessor": _video(function_arns),
                "ResultPath": None,
                "Catch": _catch_run(),
                "Next": "FinishRun",
            },
            "FinishRun": {
                **_call(function_arns["finish_run"], run),
                "Catch": _catch_run(),
                "ResultPath": None,
                "Next": "Done",
            },
            **_reasons("FailRun"),
            "FailRun": {
                **_call(function_arns["fail_run"], {**run, "reason.$": "$.problem.errorMessage"}),
                "Catch": [{"ErrorEquals": [OVER], "ResultPath": None, "Next": "Done"}],
                "ResultPath": None,
                "Next": "WhoseFault",
            },
            "WhoseFault": {
                "Type": "Choice",
                "Choices": [
                    {
                        "Or": [{"Variable": "$.error.Error", "StringEquals": error} for error in NOBODYS_FAULT],
                        "Next": "Done",
                    }
                ],
                "Default": "Failed",
            },
            "Failed": {"Type": "Fail", "ErrorPath": "$.error.Error", "CausePath": "$.problem.errorMessage"},
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
                    {"ErrorEquals": [OVER], "ResultPath": "$.error", "Next": "StopTheOthers"},
                    *_catch("OfVideo"),
                ],
                "End": True,
            },
            **_reasons("RecordFailedVideo", "OfVideo"),
            "RecordFailedVideo": {
                **_call(function_arns["record_failed_video"], {**video, "reason.$": "$.problem.errorMessage"}),
                "End": True,
            },
            "StopTheOthers": {"Type": "Fail", "Error": OVER, "Cause": "The run is over"},
        },
    }


def _call(function_arn: str, event: Mapping[str, Any]) -> State:
    return {
        "Type": "Task",
        "Resource": function_arn,
        "Parameters": dict(event),
        "Retry": [
            {
                "ErrorEquals": [*PASSING_FAULTS, *LAMBDA_FAULTS],
                "IntervalSeconds": 2,
                "BackoffRate": 2.5,
                "MaxDelaySeconds": 30,
                "MaxAttempts": 4,
                "JitterStrategy": "FULL",
            }
        ],
    }


def _catch_run() -> list[State]:
    return [{"ErrorEquals": [OVER], "ResultPath": None, "Next": "Done"}, *_catch()]


def _catch(suffix: str = "") -> list[State]:
    return [
        {"ErrorEquals": [*TOLD_PROBLEMS], "ResultPath": "$.error", "Next": f"ReadReason{suffix}"},
        {"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": f"NameProblem{suffix}"},
    ]


def _reasons(after: str, suffix: str = "") -> dict[str, State]:
    """What the log will say: our own sentence as it is, of anything else only its kind."""
    kind = "States.Format('An unexpected problem ({}); the operator\\'s log has the details.', $.error.Error)"
    return {
        f"ReadReason{suffix}": {
            "Type": "Pass",
            "Parameters": {"said.$": "States.StringToJson($.error.Cause)"},
            "ResultPath": "$.problem",
            "Next": f"TellReason{suffix}",
        },
        f"TellReason{suffix}": {
            "Type": "Pass",
            "Parameters": {"errorMessage.$": "$.problem.said.errorMessage"},
            "ResultPath": "$.problem",
            "Next": after,
        },
        f"NameProblem{suffix}": {
            "Type": "Pass",
            "Parameters": {"errorMessage.$": kind},
            "ResultPath": "$.problem",
            "Next": after,
        },
    }
