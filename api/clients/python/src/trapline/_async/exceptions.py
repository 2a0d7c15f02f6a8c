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
    """Exceptions silence detections without deleting them."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListExceptionsQuery]) -> ListExceptionsResponse:
        """Lists exceptions, newest first."""
        return await self._transport.json(Call("GET", "/api/exceptions", {**query}), ListExceptionsResponse)

    def iterate(self, **query: Unpack[ListExceptionsQuery]) -> AsyncIterator[DetectionException]:
        """Iterates over all items of `list`, page by page."""

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
        """Returns the detections that an exception would have silenced."""
        return await self._transport.json(Call("POST", "/api/exceptions/preview", json=json_of({**body}), repeatable="always"), PreviewExceptionResponse)

    async def policy(self) -> GetExceptionPolicyResponse:
        """Returns whether analysts may create exceptions themselves."""
        return await self._transport.json(Call("GET", "/api/exceptions/policy"), GetExceptionPolicyResponse)

    async def update_policy(self, *, if_match: str | None = None, **body: Unpack[ChangeExceptionPolicyRequest]) -> GetExceptionPolicyResponse:
        """Changes the policy. For administrators."""
        return await self._transport.json(Call("PATCH", "/api/exceptions/policy", json=json_of({**body}), if_match=if_match), GetExceptionPolicyResponse)


class AsyncExceptionRequests:
    """Requests for exceptions. An administrator other than the requester decides."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListExceptionRequestsQuery]) -> ListExceptionRequestsResponse:
        """Lists requests, newest first."""
        return await self._transport.json(Call("GET", "/api/exception-requests", {**query}), ListExceptionRequestsResponse)

    def iterate(self, **query: Unpack[ListExceptionRequestsQuery]) -> AsyncIterator[ListExceptionRequestsResponseDataItem]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[ListExceptionRequestsResponseDataItem], str | None]:
            query["cursor"] = cursor
            page = await self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def create(self, **body: Unpack[CreateExceptionRequest]) -> ListExceptionRequestsResponseDataItem:
        """Requests an exception."""
        return await self._transport.json(Call("POST", "/api/exception-requests", json=json_of({**body})), ListExceptionRequestsResponseDataItem)

    async def approve(self, id: str, reason: str) -> ApproveExceptionRequestResponse:
        """Creates the exception. `reason` is sent to the requester and recorded in the audit log."""
        return await self._transport.json(Call("POST", "/api/exception-requests" + path_of(id, "approve"), json={"reason": reason}), ApproveExceptionRequestResponse)

    async def reject(self, id: str, reason: str) -> ListExceptionRequestsResponseDataItem:
        """Rejects the request."""
        return await self._transport.json(Call("POST", "/api/exception-requests" + path_of(id, "reject"), json={"reason": reason}), ListExceptionRequestsResponseDataItem)

    async def withdraw(self, id: str) -> None:
        """Withdraws a request of the caller."""
        await self._transport.nothing(Call("DELETE", "/api/exception-requests" + path_of(id)))
