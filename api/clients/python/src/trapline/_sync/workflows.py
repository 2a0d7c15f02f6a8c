# Made from _async by tools/make_sync.py: change it there.
"""The group `workflows`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Literal

from .._call import Call, Form, body_of, new_key, path_of
from .._files import FileSource, split_input
from .._models.workflows import (
    ListVersionsResponse,
    ListWorkflowsResponse,
    Overrides,
    ReleaseResponse,
    RunWorkflowResponse,
    Workflow,
    WorkflowKind,
    WorkflowSummary,
    WorkflowVersion,
)
from .pages import iterate_offsets
from .transport import Transport
from .workflow_executions import WorkflowExecutions

_WORKFLOWS = "/api/v1/workflows"


class Workflows:
    """Workflows: released definitions that are run by id or slug."""

    executions: WorkflowExecutions

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
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
        """The workflows the key may access. `search`: a part of the name; `name`: exactly this slug; `limit`: 100 at most."""
        query = {"search": search, "name": name, "kind": kind, "limit": limit, "offset": offset}
        return self._transport.json(Call("GET", _WORKFLOWS, query), ListWorkflowsResponse)

    def iterate(
        self, *, search: str | None = None, name: str | None = None, kind: WorkflowKind | None = None
    ) -> Iterator[Workflow]:
        """All workflows of `list`, page by page."""

        def page_of(offset: int):
            page = self.list(search=search, name=name, kind=kind, offset=offset)
            return page.data, page.total

        return iterate_offsets(page_of)

    def get(self, workflow_id: str) -> WorkflowSummary:
        """One workflow with its current version, definition and YAML."""
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
        Makes a definition the current one of its slug: a changed one becomes a new version, one that is current already changes nothing.

        Args:
            version: the tag; by default the next number.

        Raises:
            ServiceValidationError: the definition is not valid; its issues carry place, line and column.
        """
        body = body_of(yaml_content=yaml_content, version=version, kind=kind, visibility=visibility, notes=notes)
        return self._transport.json(Call("PUT", _workflow(slug), json=body), ReleaseResponse)

    def versions(
        self, workflow_id: str, *, limit: int | None = None, offset: int | None = None
    ) -> ListVersionsResponse:
        """The released versions, newest first."""
        call = Call("GET", _workflow(workflow_id, "versions"), {"limit": limit, "offset": offset})
        return self._transport.json(call, ListVersionsResponse)

    def iterate_versions(self, workflow_id: str) -> Iterator[WorkflowVersion]:
        """All of `versions`, page by page."""

        def page_of(offset: int):
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
        Starts a run. Files are `files` by input name (paths, bytes, open files), or `pathlib.Path` values of `input`; they are streamed.

        Args:
            version: an id, a tag or `latest`, which is the default.
            overrides: outputs for steps by name; those steps are not executed.
            wait_for_completion: seconds (60 at most) to wait for the end; the answer to a run that takes longer holds the id alone.
            idempotency_key: the same key with the same input is one run, for 24 hours. Without it one is made for this call.
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


def _workflow(workflow_id: str, *more: str) -> str:
    return _WORKFLOWS + path_of(workflow_id, *more)
