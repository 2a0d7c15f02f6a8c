# Generated from _async by tools/make_sync.py. Change it there.
"""The group `workflows`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, List, Literal, TypeVar, overload

from typing_extensions import Unpack

from .._call import Call, Form, body_of, new_key, path_of
from .._files import FileSource, split_input
from .._models.generated import (
    CheckWorkflowResponse,
    GetWorkflowLimitsResponse,
    ListPausedWorkflowsResponse,
    ListWorkflowTriggersResponse,
    Trigger,
)
from .._models.workflows import (
    ListVersionsResponse,
    ListWorkflowsResponse,
    Overrides,
    ReleaseResponse,
    RunWorkflowResponse,
    StartWorkflowParams,
    Workflow,
    WorkflowKind,
    WorkflowSummary,
    WorkflowVersion,
)
from .bulk_actions import BulkActions
from .executions import Executions
from .pages import iterate_offsets
from .runs import BatchStart, Run, start_batch
from .sharing import Grants
from .transport import Transport
from .workflow_executions import WorkflowExecutions

R = TypeVar("R")
_WORKFLOWS = "/api/v1/workflows"


class Workflows:
    """Workflows: released definitions that are run by id or slug."""

    executions: WorkflowExecutions

    def __init__(self, transport: Transport, executions: Executions) -> None:
        self._transport = transport
        self._executions = executions
        self.grants = Grants(transport, "/api/v1/workflows")
        self.bulk_actions = BulkActions(transport)
        self.executions = WorkflowExecutions(transport, self.run)

    def list(
        self,
        *,
        search: str | None = None,
        name: str | None = None,
        kind: WorkflowKind | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> ListWorkflowsResponse:
        """
        Lists the workflows that the key may access. `search`: text contained in the name; `name`: the exact slug;
        `limit`: at most 100.
        """
        query = {"search": search, "name": name, "kind": kind, "limit": limit, "offset": offset}
        return self._transport.json(Call("GET", _WORKFLOWS, query), ListWorkflowsResponse)

    def iterate(
        self, *, search: str | None = None, name: str | None = None, kind: WorkflowKind | None = None
    ) -> Iterator[Workflow]:
        """Iterates over all workflows of `list`, page by page."""

        def page_of(offset: int) -> tuple[Sequence[Workflow], int]:
            page = self.list(search=search, name=name, kind=kind, offset=offset)
            return page.data, page.total

        return iterate_offsets(page_of)

    def get(self, workflow_id: str) -> WorkflowSummary:
        """Returns one workflow with its current version, definition and YAML."""
        return self._transport.json(Call("GET", _workflow(workflow_id)), WorkflowSummary)

    def push(
        self,
        slug: str,
        yaml_content: str,
        *,
        version: str | None = None,
        kind: WorkflowKind | None = None,
        visibility: Literal["private", "shared"] | None = None,
        notes: str | None = None,
    ) -> ReleaseResponse:
        """
        Releases a definition as the current version of its slug. An unchanged definition creates no version.

        Args:
            version: the version tag. Default: the next number.

        Raises:
            ServiceValidationError: the definition is invalid; the issues contain path, line and column.
        """
        body = body_of(yaml_content=yaml_content, version=version, kind=kind, visibility=visibility, notes=notes)
        return self._transport.json(Call("PUT", _workflow(slug), json=body), ReleaseResponse)

    def versions(
        self, workflow_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> ListVersionsResponse:
        """Lists the released versions, newest first."""
        call = Call("GET", _workflow(workflow_id, "versions"), {"limit": limit, "offset": offset})
        return self._transport.json(call, ListVersionsResponse)

    def iterate_versions(self, workflow_id: str) -> Iterator[WorkflowVersion]:
        """Iterates over all items of `versions`, page by page."""

        def page_of(offset: int) -> tuple[Sequence[WorkflowVersion], int]:
            page = self.versions(workflow_id, offset=offset)
            return page.data, page.total

        return iterate_offsets(page_of)

    def run(
        self,
        workflow_id: str,
        input: Mapping[str, object] | None = None,
        *,
        files: Mapping[str, FileSource] | None = None,
        version: str | None = None,
        overrides: Overrides | None = None,
        trigger: Literal["api", "cli"] | None = None,
        wait_for_completion: int | None = None,
        idempotency_key: str | None = None,
    ) -> RunWorkflowResponse:
        """
        Starts a run. Files are `files` by input name (paths, bytes, open files), or `pathlib.Path` values of `input`;
        they are streamed.

        Args:
            version: an id, a tag, or `latest` (the default).
            overrides: given outputs of steps, by step name. These steps are not executed.
            wait_for_completion: seconds to wait for the end, at most 60. For a longer run, the response contains only
                the id.
            idempotency_key: requests with the same key and input are one run, for 24 hours. Generated for each call if
                not given.
        """
        scalars, found = split_input(input, files)
        body: dict[str, object] = {} if input is None else {"input": scalars}
        if overrides is not None:
            body["overrides"] = overrides
        if trigger is not None:
            body["trigger"] = trigger
        call = Call(
            "POST",
            _workflow(workflow_id, "run"),
            {"version": version, "wait_for_completion": wait_for_completion},
            json=None if found else body,
            form=Form({"_json": json.dumps(body, allow_nan=False)} if scalars or len(body) > 1 else {}, found) if found else None,
            idempotency_key=idempotency_key or new_key(),
            repeatable="by-key",
        )
        return self._transport.json(call, RunWorkflowResponse)

    @overload
    def start(
        self, workflow_id: str, input: Mapping[str, object] | None = None, **params: Unpack[StartWorkflowParams]
    ) -> Run[Any]: ...
    @overload
    def start(
        self, workflow_id: str, input: Mapping[str, object] | None = None, *, result_type: type[R], **params: Unpack[StartWorkflowParams]
    ) -> Run[R]: ...
    def start(
        self, workflow_id: str, input: Mapping[str, object] | None = None, *, result_type: Any = Any, **params: Unpack[StartWorkflowParams]
    ) -> Run[Any]:
        """
        Starts a run and returns its handle as soon as the run is accepted. `result_type`: type of `result()`, such as a
        pydantic model or a TypedDict.
        """
        started = self.run(workflow_id, input, **params)
        return self._executions.run(started.execution_id, result_type)

    def start_all(
        self,
        workflow_id: str,
        inputs: Sequence[Mapping[str, object]],
        *,
        concurrency: int = 8,
        idempotency_key: str | None = None,
    ) -> List[BatchStart[Any]]:
        """
        Starts a run for each input, with limited concurrency, and returns the outcomes in the order of the inputs. A
        refused input does not stop the others. For 24 hours, a repeated call with the same `idempotency_key` and inputs
        starts nothing twice.
        """

        def start(input: Mapping[str, object], key: str) -> Run[Any]:
            return self.start(workflow_id, input, idempotency_key=key)

        return start_batch(inputs, start, concurrency=concurrency, idempotency_key=idempotency_key)

    def delete(self, workflow_id: str, *, if_match: str | None = None) -> None:
        """Archives the workflow; a `push` makes it active again. Accepted runs continue."""
        self._transport.nothing(Call("DELETE", "/api/v1/workflows" + path_of(workflow_id), if_match=if_match))

    def rollback(self, workflow_id: str, version: str) -> ReleaseResponse:
        """Makes an older version, by id or tag, the current one again."""
        return self._transport.json(Call("POST", "/api/v1/workflows" + path_of(workflow_id, "rollback"), json={"version": version}), ReleaseResponse)

    def check(self, yaml_content: str) -> CheckWorkflowResponse:
        """Validates a definition without releasing it."""
        return self._transport.json(Call("POST", "/api/v1/workflows/check", json={"yamlContent": yaml_content}, repeatable="always"), CheckWorkflowResponse)

    def triggers(self, workflow_id: str) -> ListWorkflowTriggersResponse:
        """Lists the triggers of a workflow."""
        return self._transport.json(Call("GET", "/api/v1/workflows" + path_of(workflow_id, "triggers")), ListWorkflowTriggersResponse)

    def set_trigger(self, workflow_id: str, kind: str, enabled: bool) -> Trigger:
        """Enables or disables a trigger."""
        return self._transport.json(Call("PATCH", "/api/v1/workflows" + path_of(workflow_id, "triggers", kind), json={"enabled": enabled}), Trigger)

    def pause(self, workflow_id: str, *, reason: str | None = None) -> GetWorkflowLimitsResponse:
        """
        Pauses the workflow: new starts are queued until it is resumed. Running executions continue. `reason` is
        displayed and recorded in the audit log.
        """
        call = Call("POST", _workflow(workflow_id, "pause"), json=body_of(reason=reason), repeatable="always")
        return self._transport.json(call, GetWorkflowLimitsResponse)

    def resume(self, workflow_id: str) -> GetWorkflowLimitsResponse:
        """Resumes the workflow: queued starts begin, within the limits of the workflow."""
        return self._transport.json(Call("POST", _workflow(workflow_id, "resume"), repeatable="always"), GetWorkflowLimitsResponse)

    def limits(self, workflow_id: str) -> GetWorkflowLimitsResponse:
        """Returns the pause, limits and retention of the workflow, and its queued starts."""
        return self._transport.json(Call("GET", _workflow(workflow_id, "limits")), GetWorkflowLimitsResponse)

    def paused(self) -> ListPausedWorkflowsResponse:
        """Lists the paused workflows, the latest pause first."""
        return self._transport.json(Call("GET", "/api/v1/paused-workflows"), ListPausedWorkflowsResponse)


def _workflow(workflow_id: str, *more: str) -> str:
    return _WORKFLOWS + path_of(workflow_id, *more)
