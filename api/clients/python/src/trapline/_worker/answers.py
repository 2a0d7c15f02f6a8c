"""What both workers decide alike: which errors pass, how long to pause, and what a failure says."""

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
    Raised by a handler to say more about a failure than a message. Any other exception is a failure that `retry` of the workflow may repeat.

    Args:
        message: `detail` of the error.
        retryable: False: no `retry` of the workflow repeats the step.
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
    """What a worker reports of an exception of a handler."""
    message = _storable(str(error)) or type(error).__name__
    if isinstance(error, TaskFailure):
        return {"message": message, "retryable": error.retryable, "type": error.type, "status": error.status}
    return {"message": message}


def _storable(text: str) -> str:
    """As the service accepts it: without NUL and half surrogate pairs, which names of files can have, and counted in UTF-16 units."""
    units = text.replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass")[: 2 * _MAX_MESSAGE]
    return units.decode("utf-16-le", "replace")


def is_lost(error: BaseException) -> bool:
    """The lease is gone: it expired, or the task has ended."""
    return isinstance(error, ServiceError) and error.status in (404, 409)


def passes(error: BaseException) -> bool:
    """Whether the same request can succeed later."""
    if not isinstance(error, ServiceError):
        return False
    return error.status is None or isinstance(error, (ServiceRateLimitError, ServiceServerError))


def pause_seconds(failures: int, error: BaseException) -> float:
    """Grows with the failures in a row, with jitter, so that workers that failed together do not come back together."""
    asked = (error.retry_after or 0) if isinstance(error, ServiceError) else 0
    ceiling: float = min(_MAX_SECONDS, _FIRST_SECONDS * 2 ** min(failures - 1, 10))
    return asked + ceiling / 2 * (1 + random.random())
