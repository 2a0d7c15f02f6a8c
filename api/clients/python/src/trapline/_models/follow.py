"""Events of an execution, and secrets."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Union

from pydantic import Field, TypeAdapter
from typing_extensions import TypeAlias

from .base import ExecutionStatus, Model


class StatusEvent(Model):
    """The status of the execution changed."""

    id: str
    """Event id, to resume after it."""
    event: Literal["status"]
    execution_id: str
    status: ExecutionStatus
    at: datetime


class StepEvent(Model):
    """The current state of a workflow step."""

    id: str
    event: Literal["step"]
    execution_id: str
    step: str
    """Path in the definition."""
    name: str
    kind: str
    status: Literal["running", "waiting", "completed", "failed", "cancelled", "skipped"]
    attempt: int
    output: Any = None
    error: Any = None
    started_at: datetime
    completed_at: datetime | None = None


class LineEvent(Model):
    """A line that a script wrote with `console`."""

    id: str
    event: Literal["line"]
    execution_id: str
    step: str
    level: Literal["debug", "info", "warn", "error"]
    text: str
    at: datetime


ExecutionEvent: TypeAlias = Union[StatusEvent, StepEvent, LineEvent]
EXECUTION_EVENT: TypeAdapter[ExecutionEvent] = TypeAdapter(Annotated[ExecutionEvent, Field(discriminator="event")])


class Secret(Model):
    name: str
    created_at: datetime
    updated_at: datetime


class ListSecretsResponse(Model):
    data: list[Secret]
