# Generated from _async by tools/make_sync.py. Change it there.
"""Comments and executions of cases and detections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from typing_extensions import Unpack

from .._call import Call, path_of
from .._models.generated import (
    Comment,
    ListCaseCommentsQuery,
    ListDetectionCommentsResponse,
    ListDetectionExecutionsResponse,
)
from .pages import iterate_cursors
from .transport import Transport


class Comments:
    """Comments on a case or detection."""

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path

    def list(self, id: str, **query: Unpack[ListCaseCommentsQuery]) -> ListDetectionCommentsResponse:
        """Lists the comments of one case or detection."""
        call = Call("GET", self._path + path_of(id, "comments"), {**query})
        return self._transport.json(call, ListDetectionCommentsResponse)

    def iterate(self, id: str, **query: Unpack[ListCaseCommentsQuery]) -> Iterator[Comment]:
        """Iterates over all items of `list`, page by page."""

        def page_of(cursor: str | None) -> tuple[Sequence[Comment], str | None]:
            query["cursor"] = cursor
            page = self.list(id, **query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    def create(self, id: str, text: str) -> Comment:
        """Adds a comment; `@name` mentions an analyst."""
        return self._transport.json(Call("POST", self._path + path_of(id, "comments"), json={"text": text}), Comment)

    def update(self, id: str, comment_id: str, text: str) -> Comment:
        """Changes a comment of the caller."""
        call = Call("PATCH", self._path + path_of(id, "comments", comment_id), json={"text": text})
        return self._transport.json(call, Comment)

    def delete(self, id: str, comment_id: str) -> None:
        """Deletes a comment of the caller."""
        self._transport.nothing(Call("DELETE", self._path + path_of(id, "comments", comment_id)))


class LinkedExecutions:
    """Executions that are linked to a case or detection."""

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path

    def list(self, id: str) -> ListDetectionExecutionsResponse:
        """Lists the executions."""
        return self._transport.json(Call("GET", self._path + path_of(id, "executions")), ListDetectionExecutionsResponse)

    def link(self, id: str, execution_id: str) -> ListDetectionExecutionsResponse:
        """Links an execution to the case or detection."""
        call = Call("POST", self._path + path_of(id, "executions"), json={"executionId": execution_id})
        return self._transport.json(call, ListDetectionExecutionsResponse)
