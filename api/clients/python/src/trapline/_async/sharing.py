"""Grants on workflows and agents."""

from __future__ import annotations

from typing_extensions import Unpack

from .._call import Call, json_of, path_of
from .._models.generated import (
    GrantWorkflowRequest,
    ListWorkflowGrantsResponse,
)
from .transport import AsyncTransport


class AsyncGrants:
    """Grants on workflows or agents: who may see, run, edit or approve."""

    def __init__(self, transport: AsyncTransport, path: str) -> None:
        self._transport = transport
        self._path = path

    async def list(self, id: str) -> ListWorkflowGrantsResponse:
        """The grants of one workflow or agent."""
        return await self._transport.json(Call("GET", self._path + path_of(id, "grants")), ListWorkflowGrantsResponse)

    async def create(self, id: str, **body: Unpack[GrantWorkflowRequest]) -> ListWorkflowGrantsResponse:
        """Gives a permission to a user, a team or a role."""
        call = Call("POST", self._path + path_of(id, "grants"), json=json_of({**body}), repeatable="always")
        return await self._transport.json(call, ListWorkflowGrantsResponse)

    async def delete(self, id: str, grant_id: str) -> None:
        """Takes a grant away."""
        await self._transport.nothing(Call("DELETE", self._path + path_of(id, "grants", grant_id)))
