"""Translates AWS service errors into ProviderErrors."""

import re
from collections.abc import Mapping
from typing import Any

from functions.runtime.provider_errors import ProviderError, Refused, Unavailable
from functions.runtime.text import one_line

TRANSIENT_CODES = frozenset(
    {
        "ThrottlingException",
        "TooManyRequestsException",
        "ServiceUnavailableException",
        "InternalServerException",
        "InternalServiceError",
        "ModelNotReadyException",
        "ModelTimeoutException",
        "ModelErrorException",
    }
)


MAX_CAUSE_LENGTH = 200
_PRIVATE = re.compile(r"arn:\S+|\b\d{12}\b")


def refused_or_unavailable(fault: Exception, service: str, advice: str) -> ProviderError:
    """Reports the error code, and the message only of a ValidationException: others may name accounts and roles."""
    from botocore.exceptions import ClientError, NoCredentialsError, NoRegionError, PartialCredentialsError

    if isinstance(fault, ClientError):
        return _by_code(fault.response, service, advice)
    if isinstance(fault, NoCredentialsError | PartialCredentialsError | NoRegionError):
        return Refused(f"There are no AWS credentials or no region to call {service} with. {advice}")
    return Unavailable(f"The connection to {service} could not be made or broke off.")


def _by_code(response: Mapping[str, Any], service: str, advice: str) -> ProviderError:
    code = response.get("Error", {}).get("Code", "unknown")
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code in TRANSIENT_CODES or status >= 500:
        return Unavailable(f"{service} is unavailable at the moment ({code}).")
    message = one_line(_PRIVATE.sub("…", response.get("Error", {}).get("Message", "")), MAX_CAUSE_LENGTH)
    detail = f": {message}" if code == "ValidationException" and message else ""
    return Refused(f"{service} refused the request ({code}{detail}). {advice}")
