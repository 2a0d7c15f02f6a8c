"""What can go wrong, as a tree of exceptions."""

from __future__ import annotations

from typing import Any, TypedDict, cast

import httpx
from typing_extensions import NotRequired


class ApiIssue(TypedDict):
    """One thing that is wrong with a request."""

    field: str
    """A parameter, a header, a path into the body, or `<root>`."""
    message: str
    code: str
    """Such as unauthorized, forbidden, not_found, required, invalid_value, rate_limited, internal."""
    severity: str
    """`error` or `warning`."""


class ApiErrorEnvelope(TypedDict):
    """The body of every answer that is not 2xx, as it came."""

    issues: list[ApiIssue]
    requestId: str
    hint: NotRequired[str]
    docsUrl: NotRequired[str]


class ServiceError(Exception):
    """
    Whatever this client raises of its own.

    ```
    ServiceError
    ├── ServiceValidationError   400  the request is not as it should be, or not possible as things stand
    │   └── ServicePreconditionError 412, or 400 for `if-match`  it changed since it was read
    ├── ServiceAuthError         401  no key, or not one that is valid
    ├── ServiceForbiddenError    403  the key lacks a scope, or a trigger is disabled
    ├── ServiceNotFoundError     404  it does not exist, or the key may not see it
    ├── ServiceRateLimitError    429  too many requests; `retry_after` says when to come back
    ├── ServiceServerError       5xx  the service failed
    ├── ServiceTimeoutError           the service was silent for longer than `timeout_seconds`, or a run took longer than one waits
    ├── ServiceConnectionError        no connection, or it broke
    ├── ServiceResponseError          a 2xx whose body is not what this client knows
    └── RunFailedError                a run whose result was waited for failed, was cancelled or rejected
    ```

    Statuses without a class of their own raise `ServiceError` itself.
    """

    status: int | None
    """HTTP status; None when no answer came."""
    request_id: str | None
    """By which the operator finds the request in the log."""
    envelope: ApiErrorEnvelope | None
    """The body of the answer, if it was an error envelope."""
    retry_after: int | None
    """Seconds the service asks to wait."""
    execution_id: str | None = None
    """Of the run that goes on, when a wait for it failed."""
    idempotency_key: str | None = None
    """Of the request: repeating the call with it does not start a second run."""

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
        """Adds the run that was waited for."""
        if self.execution_id is None:
            self.execution_id = execution_id
            self._message += f"; the run {execution_id} goes on"

    def about_key(self, idempotency_key: str) -> None:
        """Adds the key under which the request can be repeated."""
        self.idempotency_key = idempotency_key
        # Every other status says that nothing was done.
        if self.status is None or self.status >= 500 or self.status < 400:
            self._message += f"; whether it was carried out is unknown, repeat it with the idempotency key {idempotency_key}"

    @property
    def issues(self) -> list[ApiIssue]:
        """What the service found wrong; empty when no envelope came."""
        return self.envelope["issues"] if self.envelope is not None else []

    @property
    def requestId(self) -> str | None:  # noqa: N802
        """`request_id`, as the description of the API spells it."""
        return self.request_id

    @property
    def retryAfter(self) -> int | None:  # noqa: N802
        """`retry_after`, as the description of the API spells it."""
        return self.retry_after


class ServiceValidationError(ServiceError):
    """400: the request is not as it should be, or not possible as things stand; `issues` says where and why."""


class ServicePreconditionError(ServiceValidationError):
    """412: the object changed since it was read (`if_match`): nothing was changed, read it again."""


class ServiceAuthError(ServiceError):
    """401: no key came, or it is unknown, revoked or expired."""


class ServiceForbiddenError(ServiceError):
    """403: the key lacks a scope, or a trigger is disabled."""


class ServiceNotFoundError(ServiceError):
    """404: it does not exist, or the key may not see it."""


class ServiceRateLimitError(ServiceError):
    """429: too many requests; `retry_after` holds the seconds to wait."""


class ServiceServerError(ServiceError):
    """5xx: the service, or one behind it, failed."""


class ServiceTimeoutError(ServiceError):
    """The service was silent for longer than `timeout_seconds`, or a run took longer than one was willing to wait."""


class ServiceConnectionError(ServiceError):
    """No connection could be made, or it broke."""


class ServiceResponseError(ServiceError):
    """A 2xx whose body is not what this client knows."""


_BY_STATUS: dict[int, type[ServiceError]] = {
    400: ServiceValidationError,
    412: ServicePreconditionError,
    401: ServiceAuthError,
    403: ServiceForbiddenError,
    404: ServiceNotFoundError,
    429: ServiceRateLimitError,
}


class RunFailedError(ServiceError):
    """A run whose result was waited for did not complete. `execution_id` names it."""

    run_status: str
    """`failed`, `cancelled` or `rejected`."""

    def __init__(self, execution_id: str, run_status: str, reason: str | None) -> None:
        ended = "failed" if run_status == "failed" else f"was {run_status}"
        super().__init__(f"the run {execution_id} {ended}" + ("" if reason is None else f": {reason}"))
        self.execution_id = execution_id
        self.run_status = run_status


def error_of(response: httpx.Response) -> ServiceError:
    """The exception for an answer that is not 2xx; its body must have been read."""
    status = response.status_code
    envelope = _envelope_of(response)
    request_id = envelope["requestId"] if envelope is not None else response.headers.get("x-request-id")
    # Under /api/v1 there is no 412: a 400 that names the header is the same.
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
    """The exception for a 2xx that can't be read."""
    return ServiceResponseError(
        f"the answer can't be read: {reason}",
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
    )


def _envelope_of(response: httpx.Response) -> ApiErrorEnvelope | None:
    # A proxy on the way answers in its own words.
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
