"""Comments and executions of cases and detections."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from typing_extensions import Unpack

from .._call import Call, path_of
from .._models.generated import (
    Comment,
    ListCaseCommentsQuery,
    ListDetectionCommentsResponse,
    ListDetectionExecutionsResponse,
)
from .pages import iterate_cursors
from .transport import AsyncTransport


class AsyncComments:
    """Comments on a case or detection."""

    def __init__(self, transport: AsyncTransport, path: str) -> None:
        self._transport = transport
        self._path = path

    async def list(self, id: str, **query: Unpack[ListCaseCommentsQuery]) -> ListDetectionCommentsResponse:
        """Lists the comments of one case or detection."""
        call = Call("GET", self._path + path_of(id, "comments"), {**query})
        return await self._transport.json(call, ListDetectionCommentsResponse)

    def iterate(self, id: str, **query: Unpack[ListCaseCommentsQuery]) -> AsyncIterator[Comment]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[Comment], str | None]:
            query["cursor"] = cursor
            page = await self.list(id, **query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def create(self, id: str, text: str) -> Comment:
        """Adds a comment; `@name` mentions an analyst."""
        return await self._transport.json(Call("POST", self._path + path_of(id, "comments"), json={"text": text}), Comment)

    async def update(self, id: str, comment_id: str, text: str) -> Comment:
        """Changes a comment of the caller."""
        call = Call("PATCH", self._path + path_of(id, "comments", comment_id), json={"text": text})
        return await self._transport.json(call, Comment)

    async def delete(self, id: str, comment_id: str) -> None:
        """Deletes a comment of the caller."""
        await self._transport.nothing(Call("DELETE", self._path + path_of(id, "comments", comment_id)))


class AsyncLinkedExecutions:
    """Executions that are linked to a case or detection."""

    def __init__(self, transport: AsyncTransport, path: str) -> None:
        self._transport = transport
        self._path = path

    async def list(self, id: str) -> ListDetectionExecutionsResponse:
        """Lists the executions."""
        return await self._transport.json(Call("GET", self._path + path_of(id, "executions")), ListDetectionExecutionsResponse)

    async def link(self, id: str, execution_id: str) -> ListDetectionExecutionsResponse:
        """Links an execution to the case or detection."""
        call = Call("POST", self._path + path_of(id, "executions"), json={"executionId": execution_id})
        return await self._transport.json(call, ListDetectionExecutionsResponse)
