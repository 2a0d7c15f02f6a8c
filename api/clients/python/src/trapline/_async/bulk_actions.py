"""The group `workflows.bulk_actions`."""

from __future__ import annotations

from typing_extensions import Unpack

from .._call import Call, json_of, path_of
from .._models.generated import (
    CountBulkActionRequest,
    CountBulkActionResponse,
    ListBulkActionsResponse,
    StartBulkActionResponse,
)
from .transport import AsyncTransport


class AsyncBulkActions:
    """Cancels or replays many executions of a workflow, in the background."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def count(self, workflow_id: str, **selection: Unpack[CountBulkActionRequest]) -> CountBulkActionResponse:
        """Counts the executions that a bulk action would affect. Read-only."""
        call = Call("POST", _path(workflow_id, "count"), json=json_of({**selection}), repeatable="always")
        return await self._transport.json(call, CountBulkActionResponse)

    async def start(self, workflow_id: str, **selection: Unpack[CountBulkActionRequest]) -> StartBulkActionResponse:
        """
        Starts a bulk action. `expected`: the count that the user confirmed. The service refuses the action if more
        executions match now.
        """
        return await self._transport.json(Call("POST", _path(workflow_id), json=json_of({**selection})), StartBulkActionResponse)

    async def list(self, workflow_id: str) -> ListBulkActionsResponse:
        """Lists the newest 20 bulk actions of a workflow."""
        return await self._transport.json(Call("GET", _path(workflow_id)), ListBulkActionsResponse)

    async def get(self, workflow_id: str, action_id: str) -> StartBulkActionResponse:
        """Returns one bulk action with its progress."""
        return await self._transport.json(Call("GET", _path(workflow_id, action_id)), StartBulkActionResponse)

    async def stop(self, workflow_id: str, action_id: str) -> StartBulkActionResponse:
        """Stops a bulk action after the executions in progress. Completed work stays."""
        call = Call("POST", _path(workflow_id, action_id, "stop"), repeatable="always")
        return await self._transport.json(call, StartBulkActionResponse)


def _path(workflow_id: str, *more: str) -> str:
    return "/api/v1/workflows" + path_of(workflow_id, "bulk-actions", *more)
