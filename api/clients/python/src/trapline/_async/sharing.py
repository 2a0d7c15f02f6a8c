"""Grants on workflows and agents, and the group `teams`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from typing_extensions import Unpack

from .._call import Call, json_of, path_of
from .._models.generated import (
    GrantWorkflowRequest,
    ListTeamsQuery,
    ListTeamsResponse,
    ListTeamsResponseDataItem,
    ListWorkflowGrantsResponse,
)
from .pages import iterate_offsets
from .transport import AsyncTransport


class AsyncGrants:
    """Grants on workflows or agents: who may see, run, edit or approve."""

    def __init__(self, transport: AsyncTransport, path: str) -> None:
        self._transport = transport
        self._path = path

    async def list(self, id: str) -> ListWorkflowGrantsResponse:
        """Lists the grants of one workflow or agent."""
        return await self._transport.json(Call("GET", self._path + path_of(id, "grants")), ListWorkflowGrantsResponse)

    async def create(self, id: str, **body: Unpack[GrantWorkflowRequest]) -> ListWorkflowGrantsResponse:
        """Grants a permission to a user, a team or a role."""
        call = Call("POST", self._path + path_of(id, "grants"), json=json_of({**body}), repeatable="always")
        return await self._transport.json(call, ListWorkflowGrantsResponse)

    async def delete(self, id: str, grant_id: str) -> None:
        """Removes a grant."""
        await self._transport.nothing(Call("DELETE", self._path + path_of(id, "grants", grant_id)))


class AsyncTeams:
    """Teams, to which grants and approvals refer. Administrators change them in the console."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListTeamsQuery]) -> ListTeamsResponse:
        """Lists teams with their members. `mine`: only teams of the key's owner."""
        return await self._transport.json(Call("GET", "/api/v1/teams", {**query}), ListTeamsResponse)

    def iterate(self, **query: Unpack[ListTeamsQuery]) -> AsyncIterator[ListTeamsResponseDataItem]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(offset: int) -> tuple[Sequence[ListTeamsResponseDataItem], int]:
            query["offset"] = offset
            page = await self.list(**query)
            return page.data, page.total

        return iterate_offsets(page_of)
