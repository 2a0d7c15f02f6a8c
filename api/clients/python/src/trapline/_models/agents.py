"""Agents, their executions, feedback and expected artifacts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from typing_extensions import TypeAlias, TypedDict

from .._files import FileSource
from .base import ExecutionStatus, Model, Page, RunStatus

Visibility: TypeAlias = Literal["private", "shared"]
FeedbackRating: TypeAlias = Literal["pass", "fail", "partial"]
FeedbackStatus: TypeAlias = Literal["open", "resolved", "ignored"]
FileKind: TypeAlias = Literal["input", "output", "issues", "trace"]
"""`issues` is `issues.md`, `trace` is `trace.jsonl`."""


class AgentStats(Model):
    example_count: int | None = None
    total_executions: int | None = None
    last_execution_at: datetime | None = None
    avg_duration_ms: float | None = None
    avg_credits: float | None = None


class AgentFile(Model):
    """A live file of a workspace."""

    path: str
    size: int
    """Size in bytes."""
    content_type: str
    sha256: str
    version: int
    """Version of the workspace that added it."""
    created_at: datetime


class ExampleFile(Model):
    kind: Literal["input", "expected"]
    name: str
    size: int


class AgentExample(Model):
    """An example of the dataset with which an agent is evaluated."""

    id: str
    name: str
    input: Any
    expected: Any
    source_execution_id: str | None = None
    files: list[ExampleFile] = []
    created_at: datetime
    updated_at: datetime


class Agent(Model):
    id: str
    """`awf_…`"""
    slug: str
    name: str
    created_at: datetime
    description: str | None = None
    config: dict[str, Any] | None = None
    updated_at: datetime | None = None
    visibility: Visibility | None = None
    archived: bool | None = None
    """An archived agent is not listed and cannot be run."""
    source_integrity: str | None = None
    """healthy, source_missing or unregistered."""
    latest_version: int | None = None
    """Latest version of the workspace."""
    latest_commit: str | None = None
    stats: AgentStats | None = None
    files: list[AgentFile] | None = None
    """Present with `include=["files"]`."""
    dataset: list[AgentExample] | None = None
    """Present with `include=["dataset"]`."""


class ListAgentsResponse(Page):
    data: list[Agent]


class AgentResponse(Model):
    etag: str | None = None
    """ETag for `if_match`."""
    agent: Agent


class CreateAgentResponse(AgentResponse):
    """The created agent."""


class GetAgentResponse(AgentResponse):
    """The requested agent."""


class PatchAgentResponse(AgentResponse):
    """The changed agent."""


class NamedFile(Model):
    name: str


class Feedback(Model):
    body: str
    rating: FeedbackRating | None = None
    status: FeedbackStatus | None = None
    created_at: datetime | None = None
    created_by: str | None = None
    created_by_email: str | None = None
    updated_at: datetime | None = None
    resolved_at: datetime | None = None
    resolved_by: str | None = None
    resolved_by_email: str | None = None
    resolved_by_session_id: str | None = None
    promoted_example_name: str | None = None


class ExecutionFile(Model):
    kind: FileKind
    name: str
    """Name of the input, with which it is downloaded."""
    size: int
    filename: str | None = None
    """File name from the sender."""
    content_type: str | None = None
    """Detected from the content."""


class AgentExecution(Model):
    id: str
    """`exec_…`"""
    status: ExecutionStatus
    created_at: datetime
    model: str | None = None
    output: Any = None
    schema_valid: bool | None = None
    """True if the output is valid by the agent's output schema."""
    error: str | None = None
    cost: dict[str, Any] | None = None
    example_id: str | None = None
    example_name: str | None = None
    batch_id: str | None = None
    source_execution_id: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    feedback: Feedback | None = None
    expected: Any = None
    expected_files: list[NamedFile] | None = None
    files: list[ExecutionFile] | None = None
    """Present with `include=["files"]`."""


class ListAgentExecutionsResponse(Page):
    executions: list[AgentExecution]
    scan_limited: bool | None = None
    """True if `scan_limit` ended the search: `total` counts only scanned executions."""
    no_resolved_anchor: bool | None = None
    """True if `since_last_resolved` was requested, but no feedback was ever resolved."""


class AgentExecutionResponse(Model):
    execution: AgentExecution


class CancelAgentExecutionResponse(AgentExecutionResponse):
    """The execution whose cancellation was requested."""


class RunAgentResponse(Model):
    execution_id: str
    status: RunStatus | None = None
    output: Any = None
    schema_valid: bool | None = None
    error: str | None = None
    cost: dict[str, Any] | None = None


class RerunAgentExecutionResponse(Model):
    execution_id: str
    source_execution_id: str
    status: ExecutionStatus


class AgentExecutionFeedbackDetail(Model):
    feedback: Feedback | None
    expected: Any
    expected_files: list[NamedFile]


class AgentExecutionExpectedArtifacts(Model):
    expected: Any
    files: list[NamedFile]


class ExpectedFileResponse(Model):
    name: str


class RenameExpectedFileResponse(ExpectedFileResponse):
    """The new name of the file."""


class AgentExecutionFilters(TypedDict, total=False):
    """Filters and sort fields of an agent's executions. Times: a `datetime`, or an ISO text. Bounds are inclusive."""

    status: str
    batch_id: str
    example_name: str
    example_name_contains: str
    created_after: datetime | str
    created_before: datetime | str
    completed_after: datetime | str
    completed_before: datetime | str
    feedback_status: FeedbackStatus
    feedback_rating: Literal["pass", "fail", "partial", "none"]
    """`none`: executions without a rating."""
    has_feedback: bool
    no_feedback: bool
    has_expected: bool
    has_expected_json: bool
    has_expected_files: bool
    feedback_body_contains: str
    feedback_created_after: datetime | str
    feedback_created_before: datetime | str
    feedback_updated_after: datetime | str
    feedback_updated_before: datetime | str
    feedback_resolved_after: datetime | str
    feedback_resolved_before: datetime | str
    promoted_to_example: bool
    promoted_example_name: str
    since_last_resolved: bool
    include: list[Literal["feedback", "expected", "files"]]
    sort: Literal["createdAt", "completedAt", "status", "exampleName"]
    order: Literal["asc", "desc"]
    scan_limit: int
    """Maximum number of scanned executions."""


class StartAgentParams(TypedDict, total=False):
    """Arguments that start a run."""

    files: Mapping[str, FileSource] | None
    metadata: Mapping[str, Any] | None
    """Stored with the run. Not available for inputs with files, nor are the following three fields."""
    batch_id: str | None
    example_id: str | None
    example_name: str | None
    idempotency_key: str | None
