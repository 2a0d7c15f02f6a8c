"""Workflows, their versions and executions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from typing_extensions import TypeAlias, TypedDict

from .._files import FileSource
from .base import ExecutionStatus, Model, Page

WorkflowKind: TypeAlias = Literal["workflow", "block"]


class Workflow(Model):
    id: str
    """`wf_…`"""
    created_at: datetime
    name: str | None = None
    """The slug."""
    kind: WorkflowKind | None = None
    version: str | None = None
    """Tag of the current release."""
    updated_at: datetime | None = None


class WorkflowSummary(Workflow):
    definition: Any = None
    yaml_content: str | None = None
    etag: str | None = None
    """ETag for `if_match`."""


class ListWorkflowsResponse(Page):
    data: list[Workflow]


class WorkflowVersion(Model):
    id: str
    """`wfh_…`"""
    workflow_id: str
    version: str | None = None
    yaml_content: str | None = None
    is_current: bool | None = None
    created_at: datetime | None = None


class ListVersionsResponse(Page):
    data: list[WorkflowVersion]


class ReleaseResponse(Model):
    workflow: Workflow
    version: WorkflowVersion
    released: bool
    """False: the definition has not changed, and no version was created."""
    warnings: list[dict[str, Any]]


class RunWorkflowResponse(Model):
    execution_id: str
    status: ExecutionStatus | None = None
    """None if the run has not ended."""
    result: Any = None
    error: str | None = None


class WorkflowReference(Model):
    id: str
    name: str | None = None


class ListedWorkflowExecution(Model):
    id: str
    """`exec_…`"""
    workflow_id: str
    status: ExecutionStatus
    created_at: datetime
    trigger_type: str | None = None
    trigger_input: Any = None
    result: Any = None
    error: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    duration_ms: int | None = None
    workflow: WorkflowReference | None = None


class ListWorkflowExecutionsResponse(Page):
    data: list[ListedWorkflowExecution]


class ExecutionSummary(ListedWorkflowExecution):
    execution_id: str


class ExecutionStep(Model):
    step: str
    """Path in the definition, with the iterations of the enclosing loops."""
    name: str
    kind: str
    status: Literal["running", "waiting", "completed", "failed", "cancelled", "skipped"]
    attempt: int
    input: Any = None
    output: Any = None
    error: Any = None
    started_at: datetime
    completed_at: datetime | None = None
    duration_ms: int | None = None


class WorkflowExecutionStatusResponse(ExecutionSummary):
    steps: list[ExecutionStep]


class CancelWorkflowExecutionResponse(Model):
    execution_id: str
    status: Literal["cancelled", "cancellation-requested", "already-terminal"]
    was_status: ExecutionStatus


class RerunWorkflowExecutionResponse(Model):
    execution_id: str
    source_execution_id: str
    status: ExecutionStatus


class Overrides(TypedDict):
    """Given outputs of steps, by step name. These steps are not executed."""

    steps: dict[str, Any]


class RunResult(TypedDict):
    """The outcome of a run."""

    executionId: str
    status: ExecutionStatus
    result: Any
    error: str | None


class StartWorkflowParams(TypedDict, total=False):
    """Arguments that start a run."""

    files: Mapping[str, FileSource] | None
    version: str | None
    """An id, a tag, or `latest` (the default)."""
    overrides: Overrides | None
    trigger: Literal["api", "cli"] | None
    idempotency_key: str | None
