"""Bodies of the routes of external workers."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any, Literal

from pydantic import PrivateAttr

from .base import Model


class LeasedTask(Model):
    """A task of a workflow (`call: trapline.worker`) that this process has leased."""

    id: str
    queue: str
    type: str
    name: str
    """Name of the step."""
    input: Any
    idempotency_key: str
    """
    The same for every lease and every retry of the step. Pass it to services that you call, so that they can
    deduplicate.
    """
    fencing_token: int
    """Fencing token of the lease. It increases with every lease of the task."""
    lease_until: datetime
    deadline: datetime | None
    """End of the task by its time-out. None without a time-out."""
    attempt: int
    """Number of the attempt of the step, from 1."""
    losses: int
    """Number of expired leases of this task. Above 0, its work may have been done in part or completely."""
    execution_id: str
    workflow_id: str
    step: str
    """Path of the step in the definition."""

    _ended: threading.Event = PrivateAttr(default_factory=threading.Event)

    @property
    def ended(self) -> bool:
        """
        True if the result is no longer needed: the execution was cancelled, the lease was lost, or the worker stops.
        Slow handlers of a `Worker` must check it; those of an `AsyncWorker` are cancelled.
        """
        return self._ended.is_set()

    def end(self) -> None:
        """Marks the result as no longer needed. Called by the worker."""
        self._ended.set()


class PollTasksResponse(Model):
    tasks: list[LeasedTask]
    """Empty if no task was available in time."""


class ExtendTaskResponse(Model):
    state: Literal["leased", "cancelled"]
    """`cancelled`: the execution no longer waits for the task."""
    lease_until: datetime | None


class WorkerTaskState(Model):
    state: Literal["waiting", "completed", "failed"]


class SeenWorker(Model):
    name: str
    last_seen_at: datetime | None
    leased: int


class WorkerQueue(Model):
    queue: str
    account: str | None
    """None: the operator."""
    waiting: int
    leased: int
    oldest_seconds: float | None
    """Time for which the oldest queued task has waited. None if the queue is empty."""
    workers: list[SeenWorker]


class ListWorkerQueuesResponse(Model):
    data: list[WorkerQueue]
