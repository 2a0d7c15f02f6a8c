"""The group `approvals`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from typing_extensions import Unpack

from .._call import Call, json_of
from .._models.generated import (
    CountWaitsResponse,
    DecideWaitRequest,
    DecideWaitResponse,
    ListWaitsQuery,
    ListWaitsResponse,
    Wait,
)
from .pages import iterate_cursors
from .transport import AsyncTransport


class AsyncApprovals:
    """Executions that wait for a decision of the caller."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListWaitsQuery]) -> ListWaitsResponse:
        """Lists pending approvals, newest executions first."""
        return await self._transport.json(Call("GET", "/api/v1/waits", {**query}), ListWaitsResponse)

    def iterate(self, **query: Unpack[ListWaitsQuery]) -> AsyncIterator[Wait]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[Wait], str | None]:
            query["cursor"] = cursor
            page = await self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def count(self) -> CountWaitsResponse:
        """Returns the number of pending approvals, up to 100."""
        return await self._transport.json(Call("GET", "/api/v1/waits/count"), CountWaitsResponse)

    async def decide(self, **body: Unpack[DecideWaitRequest]) -> DecideWaitResponse:
        """Approves or rejects. `execution_id` and `wait` are values from the list."""
        return await self._transport.json(Call("POST", "/api/v1/waits/decide", json=json_of({**body})), DecideWaitResponse)
