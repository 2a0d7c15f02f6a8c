# Generated from _async by tools/make_sync.py. Change it there.
"""The group `worker_tasks`: requests of workers."""

from __future__ import annotations

from collections.abc import Sequence

from .._call import Call, body_of, path_of
from .._models.worker import (
    ExtendTaskResponse,
    LeasedTask,
    ListWorkerQueuesResponse,
    PollTasksResponse,
    WorkerTaskState,
)
from .transport import Transport

_TASKS = "/api/worker-tasks"


class WorkerTasks:
    """Requests of workers. A 409 means that the lease has expired or the task has ended."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def poll(
        self,
        queue: str,
        *,
        types: Sequence[str] | None = None,
        worker: str | None = None,
        max_tasks: int = 1,
        lease_seconds: int = 60,
        wait_seconds: int = 30,
    ) -> PollTasksResponse:
        """Leases tasks. The response is held while no task is available."""
        body = body_of(
            queue=queue,
            types=None if types is None else list(types),
            worker=worker,
            max_tasks=max_tasks,
            lease_seconds=lease_seconds,
            wait_seconds=min(wait_seconds, self._transport.hold_seconds),
        )
        return self._transport.json(Call("POST", f"{_TASKS}/poll", json=body), PollTasksResponse)

    def extend(self, task: LeasedTask, *, lease_seconds: int = 60) -> ExtendTaskResponse:
        """Extends the lease, and returns whether the execution was cancelled."""
        body = body_of(fencing_token=task.fencing_token, lease_seconds=lease_seconds)
        return self._transport.json(_about(task, "extend", body), ExtendTaskResponse)

    def complete(self, task: LeasedTask, output: object) -> WorkerTaskState:
        """Completes a task: the execution continues with the output."""
        body = {"fencingToken": task.fencing_token, "output": output}
        return self._transport.json(_about(task, "complete", body), WorkerTaskState)

    def fail(
        self,
        task: LeasedTask,
        message: str,
        *,
        retryable: bool = True,
        type: str | None = None,
        status: int | None = None,
    ) -> WorkerTaskState:
        """Fails a task: the step fails. `retry` of the workflow repeats it unless `retryable` is False."""
        body = body_of(
            fencing_token=task.fencing_token, message=message, retryable=retryable, type=type, status=status
        )
        return self._transport.json(_about(task, "fail", body), WorkerTaskState)

    def release(self, task: LeasedTask) -> WorkerTaskState:
        """Releases the task to its queue."""
        return self._transport.json(
            _about(task, "release", body_of(fencing_token=task.fencing_token)), WorkerTaskState
        )

    def queues(self) -> ListWorkerQueuesResponse:
        """Lists queues with their pending tasks and polling workers. Requires a key that may read workflows."""
        return self._transport.json(Call("GET", "/api/worker-queues"), ListWorkerQueuesResponse)


def _about(task: LeasedTask, action: str, body: dict[str, object]) -> Call:
    # The fencing token makes a second request for the same lease harmless.
    return Call("POST", _TASKS + path_of(task.id, action), json=body, repeatable="always")
