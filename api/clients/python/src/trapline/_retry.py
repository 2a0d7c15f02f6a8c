"""Retry policy of requests."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ._errors import (
    ServiceConnectionError,
    ServiceError,
    ServiceRateLimitError,
    ServiceServerError,
)

_FIRST_SECONDS = 0.5
_MOST_SECONDS = 8.0
_PATIENCE_SECONDS = 60
"""A longer Retry-After than this is raised as an error at once."""


@dataclass(frozen=True)
class RetryPolicy:
    """
    429 and 5xx are retried for every request. A broken connection is retried if the request is repeatable: GET, PUT,
    and POSTs whose `Idempotency-Key` the service stores, so that nothing is executed twice. A time-out is not retried.
    """

    max_retries: int

    def delay(self, repeatable: bool, attempt: int, error: ServiceError) -> float | None:
        """Returns the seconds to wait after the given attempt (from 1). None: raise the error."""
        if attempt > self.max_retries or not _passes(repeatable, error):
            return None
        asked = error.retry_after or 0
        if asked > _PATIENCE_SECONDS:
            return None
        ceiling = min(_MOST_SECONDS, _FIRST_SECONDS * 2 ** (attempt - 1))
        # Jitter, so that clients that failed together do not retry together.
        return asked + random.uniform(ceiling / 2, ceiling)


def _passes(repeatable: bool, error: ServiceError) -> bool:
    if isinstance(error, ServiceConnectionError):
        return repeatable
    return isinstance(error, (ServiceRateLimitError, ServiceServerError))
