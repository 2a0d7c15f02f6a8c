"""The exceptions of this client."""

from __future__ import annotations

from typing import Any, TypedDict, cast

import httpx
from typing_extensions import NotRequired


class ApiIssue(TypedDict):
    """One problem of a request."""

    field: str
    """A parameter, a header, a path into the body, or `<root>`."""
    message: str
    code: str
    """Code such as unauthorized, forbidden, not_found, required, invalid_value, rate_limited, internal."""
    severity: str
    """`error` or `warning`."""


class ApiErrorEnvelope(TypedDict):
    """The body of every response that is not 2xx, unchanged."""

    issues: list[ApiIssue]
    requestId: str
    hint: NotRequired[str]
    docsUrl: NotRequired[str]


class ServiceError(Exception):
    """
    Base class of all exceptions that this client raises.

    ```
    ServiceError
    ├── ServiceValidationError   400  the request is invalid, or conflicts with the current state
    │   └── ServicePreconditionError 412, or 400 for `if-match`  the object changed after it was read
    ├── ServiceAuthError         401  the key is missing or invalid
    ├── ServiceForbiddenError    403  the key lacks a scope, or a trigger is disabled
    ├── ServiceNotFoundError     404  it does not exist, or the key may not see it
    ├── ServiceRateLimitError    429  too many requests; `retry_after` holds the seconds to wait
    ├── ServiceServerError       5xx  the service failed
    ├── ServiceTimeoutError           the service sent nothing for `timeout_seconds`, or a run exceeded the time limit of the wait
    ├── ServiceConnectionError        no connection could be made, or it broke
    ├── ServiceResponseError          a 2xx response whose body this client cannot parse
    └── RunFailedError                a run whose result was awaited failed, was cancelled or was rejected
    ```

    Other statuses raise `ServiceError` itself.
    """

    status: int | None
    """HTTP status. None if no response arrived."""
    request_id: str | None
    """Id with which the operator finds the request in the log."""
    envelope: ApiErrorEnvelope | None
    """The body of the response, if it was an error envelope."""
    retry_after: int | None
    """Seconds to wait before a retry, if the service requested it."""
    execution_id: str | None = None
    """Id of the run, if a wait for it failed. The run continues."""
    idempotency_key: str | None = None
    """Idempotency key of the request. Repeating the call with it does not start a second run."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        envelope: ApiErrorEnvelope | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self._message = message
        self.status = status
        self.request_id = request_id
        self.envelope = envelope
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self._message

    def about_run(self, execution_id: str) -> None:
        """Adds the id of the awaited run."""
        if self.execution_id is None:
            self.execution_id = execution_id
            self._message += f"; the run {execution_id} goes on"

    def about_key(self, idempotency_key: str) -> None:
        """Adds the idempotency key with which the request can be repeated."""
        self.idempotency_key = idempotency_key
        # With any other status, the request was not executed.
        if self.status is None or self.status >= 500 or self.status < 400:
            self._message += f"; whether it was carried out is unknown, repeat it with the idempotency key {idempotency_key}"

    @property
    def issues(self) -> list[ApiIssue]:
        """Problems that the service reported. Empty if there was no envelope."""
        return self.envelope["issues"] if self.envelope is not None else []

    @property
    def requestId(self) -> str | None:  # noqa: N802
        """`request_id`, in the spelling of the API description."""
        return self.request_id

    @property
    def retryAfter(self) -> int | None:  # noqa: N802
        """`retry_after`, in the spelling of the API description."""
        return self.retry_after


class ServiceValidationError(ServiceError):
    """400: the request is invalid, or conflicts with the current state. `issues` lists the problems."""


class ServicePreconditionError(ServiceValidationError):
    """412: the object changed after it was read (`if_match`). Nothing was changed; read it again."""


class ServiceAuthError(ServiceError):
    """401: the key is missing, unknown, revoked or expired."""


class ServiceForbiddenError(ServiceError):
    """403: the key lacks a scope, or a trigger is disabled."""


class ServiceNotFoundError(ServiceError):
    """404: it does not exist, or the key may not see it."""


class ServiceRateLimitError(ServiceError):
    """429: too many requests. `retry_after` holds the seconds to wait."""


class ServiceServerError(ServiceError):
    """5xx: the service, or a service behind it, failed."""


class ServiceTimeoutError(ServiceError):
    """The service sent nothing for `timeout_seconds`, or a run exceeded the time limit of the wait."""


class ServiceConnectionError(ServiceError):
    """No connection could be made, or it broke."""


class ServiceResponseError(ServiceError):
    """A 2xx response whose body this client cannot parse."""


_BY_STATUS: dict[int, type[ServiceError]] = {
    400: ServiceValidationError,
    412: ServicePreconditionError,
    401: ServiceAuthError,
    403: ServiceForbiddenError,
    404: ServiceNotFoundError,
    429: ServiceRateLimitError,
}


class RunFailedError(ServiceError):
    """A run whose result was awaited did not complete. `execution_id` identifies it."""

    run_status: str
    """`failed`, `cancelled` or `rejected`."""

    def __init__(self, execution_id: str, run_status: str, reason: str | None) -> None:
        ended = "failed" if run_status == "failed" else f"was {run_status}"
        super().__init__(f"the run {execution_id} {ended}" + ("" if reason is None else f": {reason}"))
        self.execution_id = execution_id
        self.run_status = run_status


def error_of(response: httpx.Response) -> ServiceError:
    """Returns the exception for a response that is not 2xx. Its body must have been read."""
    status = response.status_code
    envelope = _envelope_of(response)
    request_id = envelope["requestId"] if envelope is not None else response.headers.get("x-request-id")
    # Under /api/v1, a 400 that names the header replaces 412.
    overtaken = status == 400 and envelope is not None and any(issue["field"] == "if-match" for issue in envelope["issues"])
    kind = ServiceServerError if status >= 500 else _BY_STATUS.get(412 if overtaken else status, ServiceError)
    return kind(
        _message_of(status, envelope, request_id),
        status=status,
        request_id=request_id,
        envelope=envelope,
        retry_after=_seconds(response.headers.get("retry-after")),
    )


def unreadable(response: httpx.Response, reason: str) -> ServiceResponseError:
    """Returns the exception for a 2xx response that cannot be parsed."""
    return ServiceResponseError(
        f"the answer can't be read: {reason}",
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
    )


def _envelope_of(response: httpx.Response) -> ApiErrorEnvelope | None:
    # A proxy can respond with a body that is not an envelope.
    try:
        body: Any = response.json()
    except ValueError:
        return None
    if not isinstance(body, dict):
        return None
    known = cast("dict[str, Any]", body)
    if not isinstance(known.get("issues"), list) or not isinstance(known.get("requestId"), str):
        return None
    return cast("ApiErrorEnvelope", known)


def _message_of(status: int, envelope: ApiErrorEnvelope | None, request_id: str | None) -> str:
    issues = envelope["issues"] if envelope is not None else []
    said = "; ".join(
        issue["message"] if issue["field"] == "<root>" else f"{issue['field']}: {issue['message']}" for issue in issues
    )
    traced = "" if request_id is None else f" (request {request_id})"
    return f"{status} {said or 'without an explanation'}{traced}"


def _seconds(header: str | None) -> int | None:
    return int(header) if header is not None and header.isdecimal() else None
