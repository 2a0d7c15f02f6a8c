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
    """Bytes."""
    content_type: str
    sha256: str
    version: int
    """Of the workspace, with which it came."""
    created_at: datetime


class ExampleFile(Model):
    kind: Literal["input", "expected"]
    name: str
    size: int


class AgentExample(Model):
    """An example of the dataset an agent is evaluated by."""

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
    """Of the workspace."""
    latest_commit: str | None = None
    stats: AgentStats | None = None
    files: list[AgentFile] | None = None
    """With `include=["files"]`."""
    dataset: list[AgentExample] | None = None
    """With `include=["dataset"]`."""


class ListAgentsResponse(Page):
    data: list[Agent]


class AgentResponse(Model):
    etag: str | None = None
    """For `if_match`."""
    agent: Agent


class CreateAgentResponse(AgentResponse):
    """The agent that was made."""


class GetAgentResponse(AgentResponse):
    """The agent that was asked for."""


class PatchAgentResponse(AgentResponse):
    """The agent as it is now."""


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
    """Of an input: its name, by which it is downloaded."""
    size: int
    filename: str | None = None
    """What the sender called it."""
    content_type: str | None = None
    """By its content."""


class AgentExecution(Model):
    id: str
    """`exec_…`"""
    status: ExecutionStatus
    created_at: datetime
    model: str | None = None
    output: Any = None
    schema_valid: bool | None = None
    """Whether the output is as the agent's output schema says."""
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
    """With `include=["files"]`."""


class ListAgentExecutionsResponse(Page):
    executions: list[AgentExecution]
    scan_limited: bool | None = None
    """`scan_limit` ended the search: `total` counts only what was looked at."""
    no_resolved_anchor: bool | None = None
    """`since_last_resolved` was asked for, and no feedback was ever resolved."""


class AgentExecutionResponse(Model):
    execution: AgentExecution


class CancelAgentExecutionResponse(AgentExecutionResponse):
    """The execution, whose cancellation is asked for."""


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
    """The name the file has now."""


class AgentExecutionFilters(TypedDict, total=False):
    """What executions of an agent can be filtered and sorted by. Times: a `datetime`, or an ISO text; bounds are inclusive."""

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
    """How many executions are looked at, at most."""


class StartAgentParams(TypedDict, total=False):
    """How a run is started."""

    files: Mapping[str, FileSource] | None
    metadata: Mapping[str, Any] | None
    """Kept with the run. Neither it nor the following three go with files."""
    batch_id: str | None
    example_id: str | None
    example_name: str | None
    idempotency_key: str | None
