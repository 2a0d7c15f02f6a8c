# Generated from _async by tools/make_sync.py. Change it there.
"""The group `workflows.executions`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, overload

from .._call import Call, new_key, path_of
from .._errors import ServiceError, ServiceTimeoutError
from .._files import FileSource
from .._models.base import TERMINAL_STATUSES, ExecutionStatus
from .._models.workflows import (
    CancelWorkflowExecutionResponse,
    ExecutionSummary,
    ListedWorkflowExecution,
    ListWorkflowExecutionsResponse,
    Overrides,
    RerunWorkflowExecutionResponse,
    RunResult,
    RunWorkflowResponse,
    WorkflowExecutionStatusResponse,
)
from .pages import iterate_offsets
from .transport import Transport

_POLL_SECONDS = 2.0
"""Between two requests when the service does not hold them."""


class WorkflowExecutions:
    """Runs of workflows."""

    def __init__(self, transport: Transport, run: Callable[..., RunWorkflowResponse]) -> None:
        self._transport = transport
        self._run = run

    def list(
        self,
        workflow_id: str,
        *,
        status: ExecutionStatus | Iterable[ExecutionStatus] | None = None,
        from_date: datetime | str | None = None,
        to_date: datetime | str | None = None,
        example_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ListWorkflowExecutionsResponse:
        """
        Lists the runs of a workflow, newest first. Dates limit the creation time: a `datetime`, an ISO text, or a
        relative time such as `now()-7d`.
        """
        query = {
            "status": _statuses(status) or None,
            "from_date": from_date,
            "to_date": to_date,
            "example_id": example_id,
            "limit": limit,
            "offset": offset,
        }
        path = "/api/v1/workflows" + path_of(workflow_id, "executions")
        return self._transport.json(Call("GET", path, query), ListWorkflowExecutionsResponse)

    def iterate(
        self,
        workflow_id: str,
        *,
        status: ExecutionStatus | Iterable[ExecutionStatus] | None = None,
        from_date: datetime | str | None = None,
        to_date: datetime | str | None = None,
        example_id: str | None = None,
    ) -> Iterator[ListedWorkflowExecution]:
        """Iterates over all runs of `list`, page by page."""
        statuses = _statuses(status)

        def page_of(offset: int) -> tuple[Sequence[ListedWorkflowExecution], int]:
            page = self.list(
                workflow_id,
                status=statuses,
                from_date=from_date,
                to_date=to_date,
                example_id=example_id,
                offset=offset,
            )
            return page.data, page.total

        return iterate_offsets(page_of)

    @overload
    def get(
        self, execution_id: str, *, include_steps: Literal[True], wait_for_completion: int | None = None
    ) -> WorkflowExecutionStatusResponse: ...
    @overload
    def get(
        self, execution_id: str, *, include_steps: bool = False, wait_for_completion: int | None = None
    ) -> ExecutionSummary: ...
    def get(
        self, execution_id: str, *, include_steps: bool = False, wait_for_completion: int | None = None
    ) -> ExecutionSummary:
        """
        Returns one run. With `include_steps`, returns a `WorkflowExecutionStatusResponse` that contains every step.
        `wait_for_completion`: seconds to wait for its end, at most 60.
        """
        path = _execution(execution_id)
        query: dict[str, object] = {"wait_for_completion": wait_for_completion}
        if include_steps:
            call = Call("GET", path, {**query, "include_steps": True})
            return self._transport.json(call, WorkflowExecutionStatusResponse)
        return self._transport.json(Call("GET", path, query), ExecutionSummary)

    def cancel(self, execution_id: str) -> CancelWorkflowExecutionResponse:
        """Cancels a run, or requests its worker to do so. Idempotent."""
        call = Call("POST", _execution(execution_id, "cancel"), repeatable="always")
        return self._transport.json(call, CancelWorkflowExecutionResponse)

    def rerun(
        self, execution_id: str, *, from_step: str | None = None, idempotency_key: str | None = None
    ) -> RerunWorkflowExecutionResponse:
        """
        Starts a new run with the same version, input and files, optionally from a step (path or name).
        `idempotency_key`: requests with the same key are one run, for 24 hours. Generated for each call if not given.
        """
        call = Call(
            "POST",
            _execution(execution_id, "rerun"),
            json=None if from_step is None else {"fromStep": from_step},
            idempotency_key=idempotency_key or new_key(),
            repeatable="by-key",
        )
        return self._transport.json(call, RerunWorkflowExecutionResponse)

    def run_and_wait(
        self,
        workflow_id: str,
        input: Mapping[str, object] | None = None,
        *,
        files: Mapping[str, FileSource] | None = None,
        version: str | None = None,
        overrides: Overrides | None = None,
        trigger: Literal["api", "cli"] | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float = 300,
    ) -> RunResult:
        """
        Runs a workflow and waits for its end. Check `status` of the result, which can be any final status. The
        arguments are those of `workflows.run`.

        Returns:
            `{"executionId": …, "status": …, "result": …, "error": …}`

        Raises:
            ServiceTimeoutError: the run has not ended after `timeout_seconds`.

        If the wait fails, the run continues, and `execution_id` of the error identifies it.
        """
        deadline = time.monotonic() + timeout_seconds
        run = self._run(
            workflow_id,
            input,
            files=files,
            version=version,
            overrides=overrides,
            trigger=trigger,
            # The service holds the response: most runs end within that time and need no second request.
            wait_for_completion=min(self._transport.hold_seconds, math.floor(timeout_seconds)),
            idempotency_key=idempotency_key,
        )
        if run.status is not None and run.status in TERMINAL_STATUSES:
            return {"executionId": run.execution_id, "status": run.status, "result": run.result, "error": run.error}
        try:
            state = self._end_of(run.execution_id, deadline)
        except ServiceError as failed:
            failed.about_run(run.execution_id)
            raise
        if state is None:
            error = ServiceTimeoutError(f"{run.execution_id} has not ended after {timeout_seconds:g} s; it continues")
            error.execution_id = run.execution_id
            raise error
        return {"executionId": state.id, "status": state.status, "result": state.result, "error": state.error}

    def _end_of(self, execution_id: str, deadline: float) -> ExecutionSummary | None:
        """Returns the execution when it has ended. None if it has not ended by the deadline."""
        while True:
            asked = time.monotonic()
            hold = min(self._transport.hold_seconds, max(0, math.floor(deadline - asked)))
            state = self.get(execution_id, wait_for_completion=hold or None)
            if state.status in TERMINAL_STATUSES:
                return state
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            # The service responds immediately when it is at its limit of held connections.
            time.sleep(min(left, max(0.0, asked + _POLL_SECONDS - time.monotonic())))


def _statuses(status: ExecutionStatus | Iterable[ExecutionStatus] | None) -> tuple[ExecutionStatus, ...]:
    if status is None:
        return ()
    return (status,) if isinstance(status, str) else (*status,)


def _execution(execution_id: str, *more: str) -> str:
    return "/api/v1/workflows/executions" + path_of(execution_id, *more)
