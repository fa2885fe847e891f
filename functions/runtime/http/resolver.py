"""The resolver factory: the HTTP behaviour that all routes share, from CORS to the error format."""

import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.api_gateway import CORSConfig
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.logging.correlation_paths import API_GATEWAY_HTTP
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.routes import CSV, ROUTES, Route, methods_of_path, path_pattern, route_of_module
from functions.runtime import errors
from functions.runtime.caller import Caller, Role
from functions.runtime.http.browser_rules import refusal_of
from functions.runtime.http.caller import lacks_subject, person_of, role_of, shown_to, subject_of
from functions.runtime.http.origin_secret import came_through_cloudfront
from functions.runtime.observability import logger
from functions.runtime.provider_errors import ProviderError
from functions.runtime.settings import settings
from functions.runtime.storage import DISK_FULL, is_disk_full

if TYPE_CHECKING:
    from pydantic import BaseModel

MIN_COMPRESSED_CHARACTERS = 1024
MAX_RESPONSE_BYTES = 6 * 1024 * 1024
"""Lambda's limit for a synchronous response, which applies to the whole JSON result with its quotes escaped."""
TOO_LARGE = (
    "This response is larger than 6 MB. Accept it compressed (`Accept-Encoding: gzip`) or, where the route has pages, "
    "request them with `limit` and `nextToken`."
)
CSV_TOO_LARGE = (
    "This list is larger than 6 MB as CSV. Have it written to a file with `POST /api/exports`, or request it as JSON."
)
NO_SUBJECT = "This token has no subject (`sub`), so nothing can be kept for its bearer; get one for a person"
NOT_SIGNED_IN = "This needs a token; sign in"
PAST_CLOUDFRONT = "This address is not for callers; use that of the page"
SECRET_UNREADABLE = "The API could not read its own secret; try again in a minute"
MAX_ECHO = 200
"""Most characters of input echoed in an error."""
ALLOWED_METHODS = ",".join(sorted({"OPTIONS", *(route.method for route in ROUTES)}))

Event = Mapping[str, Any]
Handler = Callable[[Event, LambdaContext], dict[str, Any]]
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])

ErrorResponder = Callable[[Any], "Response[Any]"]
ERROR_RESPONSES: dict[type[errors.StockTrackRecordError], tuple[int, str] | ErrorResponder] = {
    errors.FileTooLarge: (413, "This file is larger than 5 MB"),
    errors.CsvTooLarge: (413, CSV_TOO_LARGE),
    errors.UnsupportedFile: (415, "Send the transcript as text/plain, text/vtt, text/srt or application/octet-stream"),
    errors.InvalidPageToken: (400, "nextToken is not valid here; begin again without it"),
    errors.IdempotencyKeyReused: (409, "This Idempotency-Key was used with another request"),
    errors.IdempotencyKeyInUse: (409, "A request with this Idempotency-Key is still running"),
    errors.NotTheOwner: lambda problem: error_response(403, str(problem)),
    errors.LimitReached: lambda problem: error_response(429, str(problem)),
}
"""The response to each domain error: a status with a sentence, or a function that builds it."""


def register_errors(responses: Mapping[type[errors.StockTrackRecordError], tuple[int, str] | ErrorResponder]) -> None:
    """Registers the errors of a package; its `api` package calls this on import, before any resolver is created."""
    ERROR_RESPONSES.update(responses)


class Resolver(APIGatewayHttpResolver):
    """Powertools' resolver with the contract's paths and errors."""

    def __init__(self, route: Route) -> None:
        super().__init__(
            enable_validation=True,
            response_validation_error_http_code=500,
            json_body_deserializer=read_json,
            serializer=write_json,
            cors=_cors(settings().allowed_origins),
        )
        self.table_route = route
        self._to_present: Callable[[Any], BaseModel] | None = None
        for error, response in ERROR_RESPONSES.items():
            self.exception_handler(error)(_respond_with(*response) if isinstance(response, tuple) else response)
        self.exception_handler(errors.NotAccepted)(_not_accepted)
        self.exception_handler(errors.ChangedMeanwhile)(self._changed_meanwhile)
        self.exception_handler(NotFoundError)(self._no_such_route)
        self.exception_handler(RequestValidationError)(invalid_request)
        self.exception_handler(Exception)(_unexpected_error)

    def endpoint(
        self, status_code: int = 200, *, present: "Callable[[Any], BaseModel] | None" = None, **options: Any
    ) -> Callable[[Endpoint], Endpoint]:
        """Registers the function that handles this module's row of the route table.

        `present` builds the response model from the stored version, for the 409 of a `versioned` route.
        """
        self._to_present = present
        rule = self.table_route.path.replace("{", "<").replace("}", ">")
        register: Callable[[Endpoint], Endpoint] = self.route(
            rule,
            method=self.table_route.method,
            status_code=status_code,
            operation_id=self.table_route.module,
            **options,
        )
        return register

    @property
    def caller(self) -> Caller:
        """The caller of a route that has a role."""
        return person_of(self.current_event.raw_event)

    def shown(self, person: str | None, name: str | None) -> str | None:
        """Returns who did something as the caller may see it."""
        return shown_to(self.current_event.raw_event, person, name)

    def file(self, max_bytes: int) -> bytes:
        """Returns the file in the request body; raises FileTooLarge, or UnsupportedFile for other content types."""
        event = self.current_event.raw_event
        content_type = event.get("headers", {}).get("content-type", "").partition(";")[0].strip().lower()
        if content_type and content_type not in self.table_route.file_types:
            raise errors.UnsupportedFile(content_type)
        body = event.get("body") or ""
        content = b64decode(body) if event.get("isBase64Encoded") else body.encode(errors="surrogatepass")
        if len(content) > max_bytes:
            raise errors.FileTooLarge
        return content

    @staticmethod
    def _compile_regex(rule: str, base_regex: str = "") -> Any:
        """Allows any character but a slash in path parameters; Powertools allows only a few."""
        return path_pattern(rule.replace("<", "{").replace(">", "}"))

    def _changed_meanwhile(self, problem: errors.ChangedMeanwhile) -> "Response[Any]":
        assert self._to_present, "a versioned route needs `present`"
        present = self._to_present(problem.present).model_dump(mode="json")
        return Response(409, content_type="application/json", body={"detail": str(problem), "present": present})

    def _no_such_route(self, _: NotFoundError) -> "Response[Any]":
        allowed = methods_of_path(self.current_event.path)
        if not allowed:
            return error_response(404, "Not Found")
        response = error_response(405, "Method Not Allowed")
        response.headers["Allow"] = ", ".join(sorted(allowed))
        return response


def create_app(module: str) -> Resolver:
    """Creates the resolver of one handler module. Each module has its own, so that it handles only its own route."""
    return Resolver(route_of_module(module))


def create_handler(app: Resolver) -> Handler:
    """Creates the Lambda entry point: the app, with the request id on every log line."""

    @logger.inject_lambda_context(correlation_id_path=API_GATEWAY_HTTP, clear_state=True)
    def handler(event: Event, context: LambdaContext) -> dict[str, Any]:
        # API Gateway sends names in lower case, `sam local` as the client spelled them.
        event = {**event, "headers": {name.lower(): value for name, value in event.get("headers", {}).items()}}
        if refused := _refuse_outside_cloudfront(event):
            return refused
        takes_file = bool(app.table_route.file_types)
        refusal = _refusal_of_caller(event, app.table_route.role)
        if not refusal and settings().checks_browsers:
            refusal = refusal_of(event, takes_file=takes_file)
        if refusal:
            return error_result(*refusal, cors_headers(event.get("headers", {}).get("origin")))
        if subject := subject_of(event):
            logger.append_keys(subject=subject)
        request = dict(event) if takes_file else normalise_event(event)
        response = finish_response(event, app.resolve(request, context))
        if app.table_route.gives_csv:
            response["headers"]["Vary"] += ", Accept"
        if cache_control := _cache_control(app.table_route, event, response["statusCode"]):
            response["headers"]["Cache-Control"] = cache_control
        return response

    return handler


def _refuse_outside_cloudfront(event: Event) -> dict[str, Any] | None:
    try:
        return None if came_through_cloudfront(event) else error_result(403, PAST_CLOUDFRONT, {})
    except ProviderError:
        logger.exception("The origin secret could not be read")
        return error_result(503, SECRET_UNREADABLE, {})


def _cache_control(route: Route, event: Event, status: int) -> str | None:
    """Only CloudFront may keep a response, and only one to a request without a token: browsers ask each time."""
    if route.role or not route.is_open(settings().auth):
        # The response may contain a person's signing key.
        return "no-store"
    seconds = settings().edge_seconds
    if not seconds:
        return None
    is_anonymous = "authorization" not in event.get("headers", {})
    return f"public, max-age=0, s-maxage={seconds}" if is_anonymous and status == 200 else "private, no-store"


def _refusal_of_caller(event: Event, needed: Role | None) -> tuple[int, str] | None:
    """Returns the status and message to refuse the caller with, or None."""
    if lacks_subject(event):
        return 403, NO_SUBJECT
    if needed is None:
        return None
    role = role_of(event)
    if role is None:
        return 401, NOT_SIGNED_IN
    if not role.includes(needed):
        return 403, f"This needs the role {needed}, and yours is {role}. An admin of this deployment can give it to you"
    return None


def normalise_event(event: Event) -> dict[str, Any]:
    """Decodes the body to text and labels it as JSON, regardless of the content type that the client sent."""
    body = event.get("body")
    if body and event.get("isBase64Encoded"):
        body = b64decode(body).decode(errors="surrogateescape")
    headers = {**event.get("headers", {}), "content-type": "application/json"}
    return {**event, "headers": headers, "body": body, "isBase64Encoded": False}


def finish_response(event: Event, response: dict[str, Any]) -> dict[str, Any]:
    """Compresses the response if that is worthwhile; returns a 413 if it exceeds Lambda's limit."""
    headers = {**response["headers"], "Vary": "Accept-Encoding, Origin"}
    if "Access-Control-Allow-Methods" in headers:
        # Powertools lists only the methods of this handler.
        headers["Access-Control-Allow-Methods"] = ALLOWED_METHODS
    # Not every gateway accepts null as an empty body.
    finished = {**response, "headers": headers, "body": response["body"] or ""}
    if accepts_gzip(event.get("headers", {}).get("accept-encoding", "")):
        finished = _compress(finished)
    if len(write_json(finished).encode()) <= MAX_RESPONSE_BYTES:
        return finished
    headers.pop("Content-Disposition", None)
    is_csv = headers["Content-Type"].startswith(CSV)
    return error_result(413, CSV_TOO_LARGE if is_csv else TOO_LARGE, headers)


def error_result(status: int, sentence: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """An error response built outside the app, in the format that a Lambda function returns to API Gateway."""
    return {
        "statusCode": status,
        "headers": {**headers, "Content-Type": "application/json"},
        "body": write_json({"detail": sentence}),
        "isBase64Encoded": False,
    }


def cors_headers(origin: str | None) -> dict[str, str]:
    """For a response built outside the app: lets an allowed origin read it."""
    allowed = {"Access-Control-Allow-Origin": origin} if origin and origin in settings().allowed_origins else {}
    return {"Vary": "Origin", **allowed}


def _cors(origins: list[str]) -> CORSConfig | None:
    if not origins:
        return None
    return CORSConfig(
        allow_origin=origins[0],
        extra_origins=origins[1:],
        allow_headers=["Idempotency-Key"],
        expose_headers=["Location"],
        max_age=600,
    )


def _compress(response: dict[str, Any]) -> dict[str, Any]:
    body: str = response["body"]
    if response["isBase64Encoded"] or len(body) < MIN_COMPRESSED_CHARACTERS:
        return response
    return {
        **response,
        "headers": {**response["headers"], "Content-Encoding": "gzip"},
        "body": b64encode(gzip.compress(body.encode(), compresslevel=5, mtime=0)).decode(),
        "isBase64Encoded": True,
    }


def error_response(status: int, sentence: str) -> "Response[Any]":
    return Response(status, content_type="application/json", body={"detail": sentence})


def read_json(body: str) -> Any:
    """Parses the body; raises JSONDecodeError for anything that is not valid JSON."""
    try:
        body.encode()
        value = json.loads(body, parse_constant=_not_a_number)
        # Numbers too large for a float and lone surrogates can be parsed, but not serialised again.
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except json.JSONDecodeError:
        raise
    except (ValueError, RecursionError) as problem:
        raise json.JSONDecodeError(type(problem).__name__, "", 0) from None
    # Powertools unwraps a list and validates its first element; wrapping it again makes it fail validation as a list.
    return [value] if isinstance(value, list) else value


def accepts_gzip(accept_encoding: str) -> bool:
    """True if the header accepts gzip or `*` with a weight above zero."""
    weights = {}
    for choice in accept_encoding.lower().split(","):
        coding, _, weight = choice.replace(" ", "").partition(";q=")
        weights[coding] = weight.strip("0.") != "" if weight else True
    return weights.get("gzip", weights.get("*", False))


def write_json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _respond_with(status: int, sentence: str) -> "Callable[[errors.StockTrackRecordError], Response[Any]]":
    def respond(error: errors.StockTrackRecordError) -> "Response[Any]":
        response = error_response(status, sentence)
        if error.location:
            response.headers["Location"] = error.location
        return response

    return respond


def _unexpected_error(error: Exception) -> "Response[Any]":
    if is_disk_full(error):
        logger.error(DISK_FULL)
        return error_response(507, DISK_FULL)
    logger.exception("The request failed", exc_info=error)
    return error_response(500, "Internal Server Error")


def _not_accepted(problem: errors.NotAccepted) -> "Response[Any]":
    error = {"type": "value_error", "loc": ("body", problem.field), "msg": str(problem), "input": problem.given}
    return invalid_request(RequestValidationError([error]))


def invalid_request(problem: RequestValidationError) -> "Response[Any]":
    details = [
        {
            "type": error["type"],
            "loc": [part for part in error["loc"] if isinstance(part, str | int)],
            "msg": error["msg"],
            "input": _echo(error.get("input")),
        }
        for error in problem.errors()
    ]
    return Response(422, content_type="application/json", body=json.dumps({"detail": details}))


def _echo(value: Any) -> Any:
    """Returns the input, truncated if it is long."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    return value if len(text) <= MAX_ECHO else f"{text[:MAX_ECHO]}…"


def _not_a_number(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
