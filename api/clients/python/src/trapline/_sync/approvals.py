# Generated from _async by tools/make_sync.py. Change it there.
"""The group `approvals`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from .transport import Transport


class Approvals:
    """Executions that wait for a decision of the caller."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListWaitsQuery]) -> ListWaitsResponse:
        """Lists pending approvals, newest executions first."""
        return self._transport.json(Call("GET", "/api/v1/waits", {**query}), ListWaitsResponse)

    def iterate(self, **query: Unpack[ListWaitsQuery]) -> Iterator[Wait]:
        """Iterates over all items of `list`, page by page."""

        def page_of(cursor: str | None) -> tuple[Sequence[Wait], str | None]:
            query["cursor"] = cursor
            page = self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    def count(self) -> CountWaitsResponse:
        """Returns the number of pending approvals, up to 100."""
        return self._transport.json(Call("GET", "/api/v1/waits/count"), CountWaitsResponse)

    def decide(self, **body: Unpack[DecideWaitRequest]) -> DecideWaitResponse:
        """Approves or rejects. `execution_id` and `wait` are values from the list."""
        return self._transport.json(Call("POST", "/api/v1/waits/decide", json=json_of({**body})), DecideWaitResponse)
