"""The asynchronous worker."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import anyio
from anyio.abc import TaskGroup

from .._async.client import AsyncClient
from .._models.worker import LeasedTask
from .answers import LOGGER, MAX_TASKS, failure_of, is_lost, passes, pause_seconds

AsyncTaskHandler = Callable[[LeasedTask], Awaitable[object]]


@dataclass
class _Active:
    task: LeasedTask
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    ended: Literal["cancelled", "lease-lost", "stopping"] | None = None

    def end(self, reason: Literal["cancelled", "lease-lost", "stopping"]) -> None:
        self.ended = self.ended or reason
        self.task.end()
        self.scope.cancel()


class AsyncWorker:
    """
    Leases tasks of a queue, runs them with coroutines, and reports the results. A handler is cancelled if its execution
    was cancelled or its lease was lost. A task may run more than once: see `LeasedTask.idempotency_key`.

    Args:
        queue: the queue of `call: trapline.worker`.
        handlers: coroutine functions by task type; their return value is the output. Other workers process tasks of
            other types.
        concurrency: maximum number of concurrent tasks.
        name: name of this process in the list of workers.
        lease_seconds: lease time. A worker that is unavailable for this time loses its tasks. It extends its leases
            three times in this period.
        stop_seconds: how long `stop` waits for tasks before it releases them.
    """

    def __init__(
        self,
        client: AsyncClient,
        *,
        queue: str,
        handlers: Mapping[str, AsyncTaskHandler],
        concurrency: int = 1,
        name: str | None = None,
        lease_seconds: int = 60,
        stop_seconds: float = 30.0,
    ) -> None:
        if concurrency < 1:
            raise ValueError("concurrency: must be at least 1")
        if not handlers:
            raise ValueError("handlers: must have at least one")
        self._tasks = client.worker_tasks
        self._queue = queue
        self._handlers = dict(handlers)
        self._concurrency = concurrency
        self._name = name
        self._lease_seconds = lease_seconds
        self._stop_seconds = stop_seconds
        self._active: list[_Active] = []
        self._polling: anyio.CancelScope | None = None
        self._changed: anyio.Event | None = None
        self._stopping = False

    def stop(self) -> None:
        """Stops leasing tasks. `run` returns when the tasks in progress have ended or were released."""
        self._stopping = True
        if self._polling is not None:
            self._polling.cancel()

    async def run(self) -> None:
        """
        Processes tasks until `stop`.

        Raises:
            ServiceError: a retry cannot succeed, such as with an invalid key.
        """
        failed: Exception | None = None
        self._changed = anyio.Event()
        async with anyio.create_task_group() as group:
            with anyio.CancelScope() as polling:
                self._polling = polling
                try:
                    await self._poll(group)
                except Exception as error:
                    failed = error
            with anyio.move_on_after(self._stop_seconds):
                while self._active:
                    await self._next_change()
            for active in list(self._active):
                active.end("stopping")
        if failed is not None:
            raise failed

    async def _poll(self, group: TaskGroup) -> None:
        failures = 0
        while not self._stopping:
            free = self._concurrency - len(self._active)
            if free <= 0:
                await self._next_change()
                continue
            try:
                polled = await self._tasks.poll(
                    self._queue,
                    types=list(self._handlers),
                    worker=self._name,
                    max_tasks=min(free, MAX_TASKS),
                    lease_seconds=self._lease_seconds,
                )
                failures = 0
            except Exception as error:
                if not passes(error):
                    raise
                failures += 1
                LOGGER.warning("cannot ask for tasks of the queue %s: %s", self._queue, error)
                await anyio.sleep(pause_seconds(failures, error))
                continue
            for task in polled.tasks:
                active = _Active(task)
                self._active.append(active)
                group.start_soon(self._do, active)

    async def _next_change(self) -> None:
        assert self._changed is not None
        await self._changed.wait()

    async def _do(self, active: _Active) -> None:
        try:
            with active.scope:
                async with anyio.create_task_group() as beats:
                    beats.start_soon(self._keep_lease, active)
                    await self._handle(active)
                    beats.cancel_scope.cancel()
            if active.ended == "stopping":
                with anyio.CancelScope(shield=True), anyio.move_on_after(10):
                    try:
                        await self._tasks.release(active.task)
                    except Exception as error:
                        LOGGER.warning("cannot release the task %s: %s", active.task.id, error)
        finally:
            self._active.remove(active)
            if self._changed is not None:
                self._changed.set()
                self._changed = anyio.Event()

    async def _handle(self, active: _Active) -> None:
        task = active.task
        failure = None
        output: object = None
        try:
            output = await self._handlers[task.type](task)
        except Exception as error:
            failure = failure_of(error)
        failures = 0
        refused = False
        while True:
            try:
                if failure is None:
                    await self._tasks.complete(task, output)
                else:
                    await self._tasks.fail(task, **failure)
                return
            except Exception as error:
                LOGGER.warning("cannot answer the task %s: %s", task.id, error)
                if not passes(error):
                    if not refused and not is_lost(error):
                        # The service refused the output, or the details of a `TaskFailure`.
                        refused = True
                        failure = failure_of(error)
                        continue
                    return
                failures += 1
                await anyio.sleep(pause_seconds(failures, error))

    async def _keep_lease(self, active: _Active) -> None:
        lease_ends = time.monotonic() + self._lease_seconds
        while True:
            await anyio.sleep(self._lease_seconds / 3)
            asked = time.monotonic()
            try:
                extended = await self._tasks.extend(active.task, lease_seconds=self._lease_seconds)
            except Exception as error:
                if is_lost(error) or time.monotonic() >= lease_ends:
                    active.end("lease-lost")
                    return
                LOGGER.warning("cannot extend the lease of the task %s: %s", active.task.id, error)
                continue
            if extended.state == "cancelled":
                active.end("cancelled")
                return
            lease_ends = asked + self._lease_seconds
