"""Handles of executions."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio

from .._adapters import adapter_of
from .._batch import AsyncBatch
from .._call import new_key
from .._errors import RunFailedError, ServiceError, ServiceTimeoutError
from .._models.base import TERMINAL_STATUSES
from .._models.follow import ExecutionEvent
from .._models.generated import Execution
from .._models.workflows import CancelWorkflowExecutionResponse

if TYPE_CHECKING:
    from .executions import AsyncExecutions

R = TypeVar("R")
_POLL_SECONDS = 2.0
"""Between two requests when the service does not hold them."""


class AsyncRun(Generic[R]):
    """A handle of a started run, or of an execution with a known id. It holds no connection."""

    execution_id: str

    def __init__(self, executions: AsyncExecutions, execution_id: str, result_type: type[R]) -> None:
        self._executions = executions
        self._result_type = result_type
        self.execution_id = execution_id

    async def get(self) -> Execution:
        """Returns the current state of the execution."""
        return await self._executions.get(self.execution_id)

    async def result(self, *, timeout_seconds: float | None = None) -> R:
        """
        Waits for the end and returns the result, with the `result_type` of the start.

        Raises:
            RunFailedError: the run did not complete.
            ServiceTimeoutError: the run has not ended after `timeout_seconds`; it continues.
            pydantic.ValidationError: the result does not match `result_type`.
        """
        ended = await self.ended(timeout_seconds=timeout_seconds)
        if ended.status != "completed":
            raise RunFailedError(self.execution_id, ended.status, ended.error)
        return adapter_of(self._result_type).validate_python(ended.result)

    async def ended(self, *, timeout_seconds: float | None = None) -> Execution:
        """Waits for the end, whatever the final status."""
        deadline = math.inf if timeout_seconds is None else time.monotonic() + timeout_seconds
        while True:
            asked = time.monotonic()
            hold = max(0, min(self._executions.hold_seconds, deadline - asked))
            try:
                state = await self._executions.get(self.execution_id, wait_for_completion=math.floor(hold))
            except ServiceError as error:
                error.about_run(self.execution_id)
                raise
            if state.status in TERMINAL_STATUSES:
                return state
            left = deadline - time.monotonic()
            if left <= 0:
                late = ServiceTimeoutError(f"{self.execution_id} has not ended after {timeout_seconds:g} s")
                late.about_run(self.execution_id)
                raise late
            # The service responds immediately when it is at its limit of held connections.
            await anyio.sleep(min(left, max(0.0, asked + _POLL_SECONDS - time.monotonic())))

    async def cancel(self) -> CancelWorkflowExecutionResponse:
        """Cancels the run, or requests its worker to do so. Idempotent."""
        return await self._executions.cancel(self.execution_id)

    def follow(self, *, after: str | None = None) -> AsyncIterator[ExecutionEvent]:
        """Streams all past and future events of the run until it has ended."""
        return self._executions.follow(self.execution_id, after=after)


@dataclass(frozen=True)
class AsyncBatchStart(Generic[R]):
    """Outcome of one input of a batch: a run, or the error that refused it."""

    index: int
    run: AsyncRun[R] | None
    error: ServiceError | None


async def start_batch(
    inputs: Sequence[Mapping[str, object]],
    start: Callable[..., Awaitable[AsyncRun[R]]],
    *,
    concurrency: int,
    idempotency_key: str | None,
) -> list[AsyncBatchStart[R]]:
    """Starts a run for each input. A refused input does not stop the others."""
    batch = idempotency_key or new_key()

    async def one(index: int, input: Mapping[str, object]) -> AsyncBatchStart[R]:
        try:
            return AsyncBatchStart(index, await start(input, f"{batch}-{index}"), None)
        except ServiceError as error:
            return AsyncBatchStart(index, None, error)

    return await AsyncBatch(concurrency).map(one, inputs)

