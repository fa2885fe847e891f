"""Results that steps of the state machine return in place of their functions, by the name of the case.

The emulator tells Step Functions no error classes of Python functions; so what each class leads to is shown with these.
"""

import json
from typing import Any


def _thrown(error: str, message: str) -> dict[str, Any]:
    return {"Throw": {"Error": error, "Cause": json.dumps({"errorType": error, "errorMessage": message})}}


VIDEOS = {
    "Return": {
        "channel_id": "c",
        "run_id": "r",
        "must_wait": False,
        "nothing_to_do": False,
        "video_ids": ["v1", "v2"],
    }
}

FAULTS: dict[str, Any] = {
    "StateMachines": {
        "StockTrackRecord-processing": {
            "TestCases": {
                "TransientError": {"ListVideos": "Transient"},
                "VideoRefused": {
                    "ListVideos": "Listed",
                    "ProcessVideo": "Refused",
                    "RecordFailedVideo": "Nothing",
                    "PriceCalls": "Priced",
                    "FinishRun": "Nothing",
                },
                "RunOver": {"ListVideos": "Listed", "ProcessVideo": "Over"},
                "NoSuchChannel": {"ListVideos": "NotFound", "FailRun": "Nothing"},
                "KeyMissing": {"ListVideos": "MissingSetting", "FailRun": "Nothing"},
                "Unforeseen": {"ListVideos": "Crash", "FailRun": "Nothing"},
            }
        }
    },
    "MockedResponses": {
        "Nothing": {"0-99": {"Return": {}}},
        "Listed": {"0-99": VIDEOS},
        "Priced": {"0-99": {"Return": {"channel_id": "c", "run_id": "r", "checks": 1, "must_wait": False}}},
        "Transient": {"0-99": _thrown("TransientError", "YouTube is busy.")},
        "Refused": {"0-99": _thrown("Refused", "YouTube refused the address.")},
        "Over": {"0-99": _thrown("RunEnded", "run r of channel c is over")},
        "NotFound": {"0-99": _thrown("NotFound", "There is no such channel.")},
        "MissingSetting": {"0-99": _thrown("MissingSetting", "YOUTUBE_API_KEY is not set.")},
        "Crash": {"0-99": _thrown("ZeroDivisionError", "division by zero")},
    },
}
