"""The worker whose handlers run in threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from .._models.worker import LeasedTask
from .._sync.client import Client
from .answers import LOGGER, MAX_TASKS, failure_of, is_lost, passes, pause_seconds

TaskHandler = Callable[[LeasedTask], object]


class Worker:
    """
    Leases tasks of a queue, runs each in a thread, and reports the results. A thread cannot be stopped from outside: a
    slow handler must check `task.ended`. A task may run more than once: see `LeasedTask.idempotency_key`.

    Args:
        queue: the queue of `call: trapline.worker`.
        handlers: functions by task type; their return value is the output. Other workers process tasks of other types.
        concurrency: maximum number of concurrent tasks.
        name: name of this process in the list of workers.
        lease_seconds: lease time. A worker that is unavailable for this time loses its tasks. It extends its leases
            three times in this period.
        stop_seconds: how long `stop` waits for tasks before it releases them.
    """

    def __init__(
        self,
        client: Client,
        *,
        queue: str,
        handlers: Mapping[str, TaskHandler],
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
        self._stopping = threading.Event()
        self._changed = threading.Condition()
        self._active: dict[tuple[str, int], tuple[LeasedTask, float]] = {}
        """Leases in progress by task and fencing token, with the time at which the lease ends by the clock of this process."""
        self._failed: Exception | None = None

    def stop(self) -> None:
        """
        Stops leasing tasks. `run` returns when the tasks in progress have ended or were released. A signal handler may
        call it.
        """
        self._stopping.set()

    def run(self) -> None:
        """
        Processes tasks until `stop`.

        Raises:
            ServiceError: a retry cannot succeed, such as with an invalid key.
        """
        done = threading.Event()
        for work in (self._poll, lambda: self._keep_leases(done)):
            threading.Thread(target=work, daemon=True).start()
        self._stopping.wait()
        until = time.monotonic() + self._stop_seconds
        while self._in_progress() and time.monotonic() < until:
            time.sleep(0.05)
        for task in self._in_progress():
            task.end()
            self._release(task)
        done.set()
        if self._failed is not None:
            raise self._failed

    def _in_progress(self) -> list[LeasedTask]:
        with self._changed:
            return [task for task, _ in self._active.values()]

    def _poll(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            with self._changed:
                free = self._concurrency - len(self._active)
                if free <= 0:
                    self._changed.wait(1)
                    continue
            try:
                tasks = self._tasks.poll(
                    self._queue,
                    types=list(self._handlers),
                    worker=self._name,
                    max_tasks=min(free, MAX_TASKS),
                    lease_seconds=self._lease_seconds,
                ).tasks
                failures = 0
            except Exception as error:
                if not passes(error):
                    self._failed = error
                    self._stopping.set()
                    return
                failures += 1
                LOGGER.warning("cannot ask for tasks of the queue %s: %s", self._queue, error)
                self._stopping.wait(pause_seconds(failures, error))
                continue
            for task in tasks:
                if self._stopping.is_set():
                    self._release(task)
                    continue
                with self._changed:
                    self._active[_key(task)] = (task, time.monotonic() + self._lease_seconds)
                threading.Thread(target=self._do, args=(task,), daemon=True).start()

    def _do(self, task: LeasedTask) -> None:
        try:
            self._handle(task)
        finally:
            with self._changed:
                del self._active[_key(task)]
                self._changed.notify_all()

    def _handle(self, task: LeasedTask) -> None:
        failure = None
        output: object = None
        try:
            output = self._handlers[task.type](task)
        except Exception as error:
            failure = failure_of(error)
        failures = 0
        refused = False
        while not task.ended:
            try:
                if failure is None:
                    self._tasks.complete(task, output)
                else:
                    self._tasks.fail(task, **failure)
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
                time.sleep(pause_seconds(failures, error))

    def _keep_leases(self, done: threading.Event) -> None:
        while not done.wait(self._lease_seconds / 3):
            for task in self._in_progress():
                if not task.ended:
                    self._extend(task)

    def _extend(self, task: LeasedTask) -> None:
        asked = time.monotonic()
        try:
            extended = self._tasks.extend(task, lease_seconds=self._lease_seconds)
        except Exception as error:
            with self._changed:
                _, lease_ends = self._active.get(_key(task), (task, 0.0))
            if is_lost(error) or time.monotonic() >= lease_ends:
                task.end()
            else:
                LOGGER.warning("cannot extend the lease of the task %s: %s", task.id, error)
            return
        if extended.state == "cancelled":
            task.end()
            return
        with self._changed:
            if _key(task) in self._active:
                self._active[_key(task)] = (task, asked + self._lease_seconds)

    def _release(self, task: LeasedTask) -> None:
        try:
            self._tasks.release(task)
        except Exception as error:
            LOGGER.warning("cannot release the task %s: %s", task.id, error)


def _key(task: LeasedTask) -> tuple[str, int]:
    # A task whose lease was lost can be leased again while the old thread still runs.
    return task.id, task.fencing_token
