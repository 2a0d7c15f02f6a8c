"""The groups `exceptions` and `exception_requests`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from typing_extensions import Unpack

from .._call import Call, json_of, path_of
from .._models.generated import (
    ApproveExceptionRequestResponse,
    ChangeExceptionPolicyRequest,
    CreateExceptionRequest,
    CreateExceptionResponse,
    DetectionException,
    GetExceptionPolicyResponse,
    ListExceptionRequestsQuery,
    ListExceptionRequestsResponse,
    ListExceptionRequestsResponseDataItem,
    ListExceptionsQuery,
    ListExceptionsResponse,
    PreviewExceptionRequest,
    PreviewExceptionResponse,
)
from .pages import iterate_cursors
from .transport import AsyncTransport


class AsyncExceptions:
    """Exceptions: they silence detections and keep the record."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListExceptionsQuery]) -> ListExceptionsResponse:
        """Exceptions, newest first."""
        return await self._transport.json(Call("GET", "/api/exceptions", {**query}), ListExceptionsResponse)

    def iterate(self, **query: Unpack[ListExceptionsQuery]) -> AsyncIterator[DetectionException]:
        """All of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[DetectionException], str | None]:
            query["cursor"] = cursor
            page = await self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def create(self, **body: Unpack[CreateExceptionRequest]) -> CreateExceptionResponse:
        """Creates an exception."""
        return await self._transport.json(Call("POST", "/api/exceptions", json=json_of({**body})), CreateExceptionResponse)

    async def delete(self, id: str) -> None:
        """Ends an exception."""
        await self._transport.nothing(Call("DELETE", "/api/exceptions" + path_of(id)))

    async def preview(self, **body: Unpack[PreviewExceptionRequest]) -> PreviewExceptionResponse:
        """What an exception would have silenced."""
        return await self._transport.json(Call("POST", "/api/exceptions/preview", json=json_of({**body}), repeatable="always"), PreviewExceptionResponse)

    async def policy(self) -> GetExceptionPolicyResponse:
        """Whether analysts may create exceptions themselves."""
        return await self._transport.json(Call("GET", "/api/exceptions/policy"), GetExceptionPolicyResponse)

    async def update_policy(self, *, if_match: str | None = None, **body: Unpack[ChangeExceptionPolicyRequest]) -> GetExceptionPolicyResponse:
        """Changes the policy. For administrators."""
        return await self._transport.json(Call("PATCH", "/api/exceptions/policy", json=json_of({**body}), if_match=if_match), GetExceptionPolicyResponse)


class AsyncExceptionRequests:
    """Requests for exceptions: an administrator other than the requester decides."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListExceptionRequestsQuery]) -> ListExceptionRequestsResponse:
        """Requests, newest first."""
        return await self._transport.json(Call("GET", "/api/exception-requests", {**query}), ListExceptionRequestsResponse)

    def iterate(self, **query: Unpack[ListExceptionRequestsQuery]) -> AsyncIterator[ListExceptionRequestsResponseDataItem]:
        """All of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[ListExceptionRequestsResponseDataItem], str | None]:
            query["cursor"] = cursor
            page = await self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def create(self, **body: Unpack[CreateExceptionRequest]) -> ListExceptionRequestsResponseDataItem:
        """Requests an exception."""
        return await self._transport.json(Call("POST", "/api/exception-requests", json=json_of({**body})), ListExceptionRequestsResponseDataItem)

    async def approve(self, id: str, reason: str) -> ApproveExceptionRequestResponse:
        """Creates the exception. `reason` goes to the requester and the audit log."""
        return await self._transport.json(Call("POST", "/api/exception-requests" + path_of(id, "approve"), json={"reason": reason}), ApproveExceptionRequestResponse)

    async def reject(self, id: str, reason: str) -> ListExceptionRequestsResponseDataItem:
        """Rejects the request."""
        return await self._transport.json(Call("POST", "/api/exception-requests" + path_of(id, "reject"), json={"reason": reason}), ListExceptionRequestsResponseDataItem)

    async def withdraw(self, id: str) -> None:
        """Takes an own request back."""
        await self._transport.nothing(Call("DELETE", "/api/exception-requests" + path_of(id)))
