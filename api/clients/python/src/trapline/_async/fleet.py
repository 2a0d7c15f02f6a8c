"""The groups `hosts`, `processes`, `dead_letters`, `rules`, `user_rules` and `detectors`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from typing_extensions import Unpack

from .._call import Call, json_of, path_of
from .._models.generated import (
    BacktestRuleRequest,
    BacktestRuleResponse,
    BacktestUserRuleRequest,
    BacktestUserRuleResponse,
    ChangeRuleRequest,
    ChangeUserRuleRequest,
    CreateDetectorTokenRequest,
    CreateDetectorTokenResponse,
    DeadLetter,
    GetUserRuleQuery,
    GetUserRuleResponse,
    ListDeadLettersQuery,
    ListDeadLettersResponse,
    ListDetectorsResponse,
    ListHostsQuery,
    ListHostsResponse,
    ListHostsResponseDataItem,
    ListProcessesQuery,
    ListProcessesResponse,
    ListProcessesResponseDataItem,
    ListRulesResponse,
    ListUserRulesResponse,
    ListUserRulesResponseDataItem,
    PushUserRuleResponse,
    RedriveDeadLettersRequest,
    RedriveDeadLettersResponse,
    Rule,
)
from .pages import iterate_cursors
from .transport import AsyncTransport


class AsyncHosts:
    """Hosts that sent events, with counts and risk."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListHostsQuery]) -> ListHostsResponse:
        """Lists hosts, the last seen first."""
        return await self._transport.json(Call("GET", "/api/hosts", {**query}), ListHostsResponse)

    def iterate(self, **query: Unpack[ListHostsQuery]) -> AsyncIterator[ListHostsResponseDataItem]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[ListHostsResponseDataItem], str | None]:
            query["cursor"] = cursor
            page = await self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)


class AsyncProcesses:
    """Programs by host, with counts and risk."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListProcessesQuery]) -> ListProcessesResponse:
        """Lists programs, the last seen first."""
        return await self._transport.json(Call("GET", "/api/processes", {**query}), ListProcessesResponse)

    def iterate(self, **query: Unpack[ListProcessesQuery]) -> AsyncIterator[ListProcessesResponseDataItem]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[ListProcessesResponseDataItem], str | None]:
            query["cursor"] = cursor
            page = await self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)


class AsyncDeadLetters:
    """Records that were rejected, with their raw bytes."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **query: Unpack[ListDeadLettersQuery]) -> ListDeadLettersResponse:
        """Lists rejected records, newest first."""
        return await self._transport.json(Call("GET", "/api/dead-letters", {**query}), ListDeadLettersResponse)

    def iterate(self, **query: Unpack[ListDeadLettersQuery]) -> AsyncIterator[DeadLetter]:
        """Iterates over all items of `list`, page by page."""

        async def page_of(cursor: str | None) -> tuple[Sequence[DeadLetter], str | None]:
            query["cursor"] = cursor
            page = await self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def get(self, id: str) -> DeadLetter:
        """Returns one rejected record."""
        return await self._transport.json(Call("GET", "/api/dead-letters" + path_of(id)), DeadLetter)

    async def redrive(self, **body: Unpack[RedriveDeadLettersRequest]) -> RedriveDeadLettersResponse:
        """Sends rejected records through the pipeline again, selected by ids or by a filter."""
        return await self._transport.json(Call("POST", "/api/dead-letters/redrive", json=json_of({**body})), RedriveDeadLettersResponse)


class AsyncRules:
    """The catalogue of rules."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> ListRulesResponse:
        """Lists all rules with severity, ATT&CK techniques, thresholds and runbook."""
        return await self._transport.json(Call("GET", "/api/rules"), ListRulesResponse)

    async def get(self, id: str) -> Rule:
        """Returns one rule."""
        return await self._transport.json(Call("GET", "/api/rules" + path_of(id)), Rule)

    async def update(self, id: str, *, if_match: str | None = None, **body: Unpack[ChangeRuleRequest]) -> Rule:
        """Changes thresholds, or enables or disables a rule. For administrators."""
        return await self._transport.json(Call("PATCH", "/api/rules" + path_of(id), json=json_of({**body}), if_match=if_match), Rule)

    async def backtest(self, id: str, **settings: Unpack[BacktestRuleRequest]) -> BacktestRuleResponse:
        """Returns the detections that a rule would create from stored events with other settings. Read-only."""
        call = Call("POST", "/api/rules" + path_of(id, "backtest"), json=json_of({**settings}))
        return await self._transport.json(call, BacktestRuleResponse)


class AsyncUserRules:
    """User rules, as Sigma files."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> ListUserRulesResponse:
        """Lists all user rules."""
        return await self._transport.json(Call("GET", "/api/user-rules"), ListUserRulesResponse)

    async def get(self, id: str, **query: Unpack[GetUserRuleQuery]) -> GetUserRuleResponse:
        """Returns one rule with its source."""
        return await self._transport.json(Call("GET", "/api/user-rules" + path_of(id), {**query}), GetUserRuleResponse)

    async def push(self, source: str) -> PushUserRuleResponse:
        """Adds the rules of a file, or new versions of them."""
        return await self._transport.json(Call("POST", "/api/user-rules", json={"source": source}), PushUserRuleResponse)

    async def update(self, id: str, **body: Unpack[ChangeUserRuleRequest]) -> ListUserRulesResponseDataItem:
        """Enables or disables a rule."""
        return await self._transport.json(Call("PATCH", "/api/user-rules" + path_of(id), json=json_of({**body})), ListUserRulesResponseDataItem)

    async def backtest(self, **rule: Unpack[BacktestUserRuleRequest]) -> BacktestUserRuleResponse:
        """Returns the detections that the rule of a file would create from stored events. Read-only."""
        return await self._transport.json(Call("POST", "/api/user-rules/backtest", json=json_of({**rule})), BacktestUserRuleResponse)


class AsyncDetectors:
    """Hosts that run the detector."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> ListDetectorsResponse:
        """Lists all hosts with a detector."""
        return await self._transport.json(Call("GET", "/api/detectors"), ListDetectorsResponse)

    async def create_token(self, **body: Unpack[CreateDetectorTokenRequest]) -> CreateDetectorTokenResponse:
        """Creates a one-time token with which a host is enrolled. For administrators."""
        return await self._transport.json(Call("POST", "/api/admin/detector-tokens", json=json_of({**body})), CreateDetectorTokenResponse)

    async def revoke(self, hostname: str) -> None:
        """Revokes the key of a host. For administrators."""
        await self._transport.nothing(Call("DELETE", "/api/admin/detectors" + path_of(hostname)))
