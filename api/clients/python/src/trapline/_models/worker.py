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
    """The same for every lease and every retry of the step: give it to services that you call, so that they recognise a repetition."""
    fencing_token: int
    """Of the lease; it rises with every lease of the task."""
    lease_until: datetime
    deadline: datetime | None
    """The time-out of the task ends it then; None without one."""
    attempt: int
    """Which attempt of the step it is, from 1."""
    losses: int
    """Leases of this task that expired before: above 0 its work may have been done, in part or in whole."""
    execution_id: str
    workflow_id: str
    step: str
    """Path of the step in the definition."""

    _ended: threading.Event = PrivateAttr(default_factory=threading.Event)

    @property
    def ended(self) -> bool:
        """
        Whether the answer is not wanted any more: the execution was cancelled, the lease is lost, or the worker stops. A handler of a `Worker` that takes
        long asks for it; one of an `AsyncWorker` is cancelled.
        """
        return self._ended.is_set()

    def end(self) -> None:
        """Notes that the answer is not wanted any more. The worker calls it."""
        self._ended.set()


class PollTasksResponse(Model):
    tasks: list[LeasedTask]
    """Empty when no task came in time."""


class ExtendTaskResponse(Model):
    state: Literal["leased", "cancelled"]
    """`cancelled`: the execution does not wait for the task any more."""
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
    """For how long the oldest waiting task has waited; None when none does."""
    workers: list[SeenWorker]


class ListWorkerQueuesResponse(Model):
    data: list[WorkerQueue]
