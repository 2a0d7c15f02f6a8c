# Generated from _async by tools/make_sync.py. Change it there.
"""Grants on workflows and agents, and the group `teams`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from .transport import Transport


class Grants:
    """Grants on workflows or agents: who may see, run, edit or approve."""

    def __init__(self, transport: Transport, path: str) -> None:
        self._transport = transport
        self._path = path

    def list(self, id: str) -> ListWorkflowGrantsResponse:
        """Lists the grants of one workflow or agent."""
        return self._transport.json(Call("GET", self._path + path_of(id, "grants")), ListWorkflowGrantsResponse)

    def create(self, id: str, **body: Unpack[GrantWorkflowRequest]) -> ListWorkflowGrantsResponse:
        """Grants a permission to a user, a team or a role."""
        call = Call("POST", self._path + path_of(id, "grants"), json=json_of({**body}), repeatable="always")
        return self._transport.json(call, ListWorkflowGrantsResponse)

    def delete(self, id: str, grant_id: str) -> None:
        """Removes a grant."""
        self._transport.nothing(Call("DELETE", self._path + path_of(id, "grants", grant_id)))


class Teams:
    """Teams, to which grants and approvals refer. Administrators change them in the console."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListTeamsQuery]) -> ListTeamsResponse:
        """Lists teams with their members. `mine`: only teams of the key's owner."""
        return self._transport.json(Call("GET", "/api/v1/teams", {**query}), ListTeamsResponse)

    def iterate(self, **query: Unpack[ListTeamsQuery]) -> Iterator[ListTeamsResponseDataItem]:
        """Iterates over all items of `list`, page by page."""

        def page_of(offset: int) -> tuple[Sequence[ListTeamsResponseDataItem], int]:
            query["offset"] = offset
            page = self.list(**query)
            return page.data, page.total

        return iterate_offsets(page_of)
