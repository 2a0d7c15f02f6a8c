# Made from _async by tools/make_sync.py: change it there.
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
        """The runs of a workflow, newest first. Dates bound the creation: a `datetime`, an ISO text, or such as `now()-7d`."""
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
        """All runs of `list`, page by page."""
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
        One run; with `include_steps` a `WorkflowExecutionStatusResponse` that holds every step. `wait_for_completion`: seconds (60 at most) to wait
        for its end.
        """
        path = _execution(execution_id)
        query: dict[str, object] = {"wait_for_completion": wait_for_completion}
        if include_steps:
            call = Call("GET", path, {**query, "include_steps": True})
            return self._transport.json(call, WorkflowExecutionStatusResponse)
        return self._transport.json(Call("GET", path, query), ExecutionSummary)

    def cancel(self, execution_id: str) -> CancelWorkflowExecutionResponse:
        """Ends a run, or asks its worker to. Doing it again changes nothing."""
        call = Call("POST", _execution(execution_id, "cancel"), repeatable="always")
        return self._transport.json(call, CancelWorkflowExecutionResponse)

    def rerun(
        self, execution_id: str, *, from_step: str | None = None, idempotency_key: str | None = None
    ) -> RerunWorkflowExecutionResponse:
        """
        Once more, with the same version, input and files; from a step on, by its path or name, when one is given. `idempotency_key`: the same key is
        one run, for 24 hours. Without it one is made for this call.
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
        Runs a workflow and waits for its end, whatever that is: look at `status`. The arguments are those of `workflows.run`.

        Returns:
            `{"executionId": …, "status": …, "result": …, "error": …}`

        Raises:
            ServiceTimeoutError: it has not ended after `timeout_seconds`.

        When the wait fails, the run goes on, and `execution_id` of the error names it.
        """
        deadline = time.monotonic() + timeout_seconds
        run = self._run(
            workflow_id,
            input,
            files=files,
            version=version,
            overrides=overrides,
            trigger=trigger,
            # The service holds the answer: most runs end before it is due, and no second request is needed.
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
        """The execution when it has ended; None: it has not by the deadline."""
        while True:
            asked = time.monotonic()
            hold = min(self._transport.hold_seconds, max(0, math.floor(deadline - asked)))
            state = self.get(execution_id, wait_for_completion=hold or None)
            if state.status in TERMINAL_STATUSES:
                return state
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            # The service responds at once when it holds as many connections as it may.
            time.sleep(min(left, max(0.0, asked + _POLL_SECONDS - time.monotonic())))


def _statuses(status: ExecutionStatus | Iterable[ExecutionStatus] | None) -> tuple[ExecutionStatus, ...]:
    if status is None:
        return ()
    return (status,) if isinstance(status, str) else (*status,)


def _execution(execution_id: str, *more: str) -> str:
    return "/api/v1/workflows/executions" + path_of(execution_id, *more)
