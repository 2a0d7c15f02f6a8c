# Made from _async by tools/make_sync.py: change it there.
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
from .transport import Transport


class BulkActions:
    """Cancels or replays many executions of a workflow, in the background."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def count(self, workflow_id: str, **selection: Unpack[CountBulkActionRequest]) -> CountBulkActionResponse:
        """How many executions a bulk action would act on. Nothing is changed."""
        call = Call("POST", _path(workflow_id, "count"), json=json_of({**selection}), repeatable="always")
        return self._transport.json(call, CountBulkActionResponse)

    def start(self, workflow_id: str, **selection: Unpack[CountBulkActionRequest]) -> StartBulkActionResponse:
        """Starts one. `expected`: the count that was confirmed; when there are more executions now, it is refused."""
        return self._transport.json(Call("POST", _path(workflow_id), json=json_of({**selection})), StartBulkActionResponse)

    def list(self, workflow_id: str) -> ListBulkActionsResponse:
        """The newest 20 of a workflow."""
        return self._transport.json(Call("GET", _path(workflow_id)), ListBulkActionsResponse)

    def get(self, workflow_id: str, action_id: str) -> StartBulkActionResponse:
        """One with its progress."""
        return self._transport.json(Call("GET", _path(workflow_id, action_id)), StartBulkActionResponse)

    def stop(self, workflow_id: str, action_id: str) -> StartBulkActionResponse:
        """Ends one after the executions that it works on; what it has done stays."""
        call = Call("POST", _path(workflow_id, action_id, "stop"), repeatable="always")
        return self._transport.json(call, StartBulkActionResponse)


def _path(workflow_id: str, *more: str) -> str:
    return "/api/v1/workflows" + path_of(workflow_id, "bulk-actions", *more)
