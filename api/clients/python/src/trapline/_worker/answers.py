"""Decisions that both workers share: retryable errors, pauses, and reports of failures."""

from __future__ import annotations

import logging
import random
from typing import TypedDict

from typing_extensions import NotRequired

from .._errors import ServiceError, ServiceRateLimitError, ServiceServerError

LOGGER = logging.getLogger("trapline.worker")
MAX_TASKS = 20
"""Of one poll."""
_FIRST_SECONDS = 0.5
_MAX_SECONDS = 30.0
_MAX_MESSAGE = 2000


class TaskFailure(Exception):
    """
    Raised by a handler to report more details of a failure than a message. Any other exception is a failure that
    `retry` of the workflow may repeat.

    Args:
        message: `detail` of the error.
        retryable: False: `retry` of the workflow does not repeat the step.
        type: `type` of the error, a URI.
        status: `status` of the error, 400 to 599.
    """

    def __init__(
        self, message: str, *, retryable: bool = True, type: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.type = type
        self.status = status


class Failure(TypedDict):
    message: str
    retryable: NotRequired[bool]
    type: NotRequired[str | None]
    status: NotRequired[int | None]


def failure_of(error: BaseException) -> Failure:
    """Returns the report of a worker about an exception of a handler."""
    message = _storable(str(error)) or type(error).__name__
    if isinstance(error, TaskFailure):
        return {"message": message, "retryable": error.retryable, "type": error.type, "status": error.status}
    return {"message": message}


def _storable(text: str) -> str:
    """
    Removes NUL and unpaired surrogates, which file names can contain but the service rejects, and limits the length in
    UTF-16 units.
    """
    units = text.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass")[: 2 * _MAX_MESSAGE]
    return units.decode("utf-16-le", "replace")


def is_lost(error: BaseException) -> bool:
    """True if the lease has expired or the task has ended."""
    return isinstance(error, ServiceError) and error.status in (404, 409)


def passes(error: BaseException) -> bool:
    """True if the same request can succeed later."""
    if not isinstance(error, ServiceError):
        return False
    return error.status is None or isinstance(error, (ServiceRateLimitError, ServiceServerError))


def pause_seconds(failures: int, error: BaseException) -> float:
    """
    Returns a delay that grows with consecutive failures, with jitter, so that workers that failed together do not retry
    together.
    """
    asked = (error.retry_after or 0) if isinstance(error, ServiceError) else 0
    ceiling: float = min(_MAX_SECONDS, _FIRST_SECONDS * 2 ** min(failures - 1, 10))
    return asked + ceiling / 2 * (1 + random.random())
