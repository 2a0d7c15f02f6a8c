"""Common base of all bodies of the API."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from typing_extensions import TypeAlias

ExecutionStatus: TypeAlias = Literal[
    "created",
    "pending",
    "running",
    "waiting",
    "finalizing",
    "completed",
    "failed",
    "cancelled",
    "rejected",
]
"""States of an execution; the last four are final."""

RunStatus: TypeAlias = Literal[
    "created",
    "pending",
    "running",
    "waiting",
    "finalizing",
    "completed",
    "failed",
    "cancelled",
    "rejected",
    "timeout",
]
"""How a run stands when its answer comes; `timeout`: it outlived `wait_for_completion` and goes on."""

TERMINAL_STATUSES = frozenset({"completed", "failed", "cancelled", "rejected"})


class Model(BaseModel):
    """A body of the API: camelCase on the wire, snake_case here. Unknown keys are kept in `model_extra`."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow", frozen=True, defer_build=True)


class Page(Model):
    """Position of a page in a list."""

    total: int
    limit: int
    offset: int
