# Generated from _async by tools/make_sync.py. Change it there.
"""The groups `hosts`, `processes`, `dead_letters`, `rules`, `user_rules` and `detectors`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from .transport import Transport


class Hosts:
    """Hosts that sent events, with counts and risk."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListHostsQuery]) -> ListHostsResponse:
        """Lists hosts, the last seen first."""
        return self._transport.json(Call("GET", "/api/hosts", {**query}), ListHostsResponse)

    def iterate(self, **query: Unpack[ListHostsQuery]) -> Iterator[ListHostsResponseDataItem]:
        """Iterates over all items of `list`, page by page."""

        def page_of(cursor: str | None) -> tuple[Sequence[ListHostsResponseDataItem], str | None]:
            query["cursor"] = cursor
            page = self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)


class Processes:
    """Programs by host, with counts and risk."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListProcessesQuery]) -> ListProcessesResponse:
        """Lists programs, the last seen first."""
        return self._transport.json(Call("GET", "/api/processes", {**query}), ListProcessesResponse)

    def iterate(self, **query: Unpack[ListProcessesQuery]) -> Iterator[ListProcessesResponseDataItem]:
        """Iterates over all items of `list`, page by page."""

        def page_of(cursor: str | None) -> tuple[Sequence[ListProcessesResponseDataItem], str | None]:
            query["cursor"] = cursor
            page = self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)


class DeadLetters:
    """Records that were rejected, with their raw bytes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, **query: Unpack[ListDeadLettersQuery]) -> ListDeadLettersResponse:
        """Lists rejected records, newest first."""
        return self._transport.json(Call("GET", "/api/dead-letters", {**query}), ListDeadLettersResponse)

    def iterate(self, **query: Unpack[ListDeadLettersQuery]) -> Iterator[DeadLetter]:
        """Iterates over all items of `list`, page by page."""

        def page_of(cursor: str | None) -> tuple[Sequence[DeadLetter], str | None]:
            query["cursor"] = cursor
            page = self.list(**query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    def get(self, id: str) -> DeadLetter:
        """Returns one rejected record."""
        return self._transport.json(Call("GET", "/api/dead-letters" + path_of(id)), DeadLetter)

    def redrive(self, **body: Unpack[RedriveDeadLettersRequest]) -> RedriveDeadLettersResponse:
        """Sends rejected records through the pipeline again, selected by ids or by a filter."""
        return self._transport.json(Call("POST", "/api/dead-letters/redrive", json=json_of({**body})), RedriveDeadLettersResponse)


class Rules:
    """The catalogue of rules."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> ListRulesResponse:
        """Lists all rules with severity, ATT&CK techniques, thresholds and runbook."""
        return self._transport.json(Call("GET", "/api/rules"), ListRulesResponse)

    def get(self, id: str) -> Rule:
        """Returns one rule."""
        return self._transport.json(Call("GET", "/api/rules" + path_of(id)), Rule)

    def update(self, id: str, *, if_match: str | None = None, **body: Unpack[ChangeRuleRequest]) -> Rule:
        """Changes thresholds, or enables or disables a rule. For administrators."""
        return self._transport.json(Call("PATCH", "/api/rules" + path_of(id), json=json_of({**body}), if_match=if_match), Rule)

    def backtest(self, id: str, **settings: Unpack[BacktestRuleRequest]) -> BacktestRuleResponse:
        """Returns the detections that a rule would create from stored events with other settings. Read-only."""
        call = Call("POST", "/api/rules" + path_of(id, "backtest"), json=json_of({**settings}))
        return self._transport.json(call, BacktestRuleResponse)


class UserRules:
    """User rules, as Sigma files."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> ListUserRulesResponse:
        """Lists all user rules."""
        return self._transport.json(Call("GET", "/api/user-rules"), ListUserRulesResponse)

    def get(self, id: str, **query: Unpack[GetUserRuleQuery]) -> GetUserRuleResponse:
        """Returns one rule with its source."""
        return self._transport.json(Call("GET", "/api/user-rules" + path_of(id), {**query}), GetUserRuleResponse)

    def push(self, source: str) -> PushUserRuleResponse:
        """Adds the rules of a file, or new versions of them."""
        return self._transport.json(Call("POST", "/api/user-rules", json={"source": source}), PushUserRuleResponse)

    def update(self, id: str, **body: Unpack[ChangeUserRuleRequest]) -> ListUserRulesResponseDataItem:
        """Enables or disables a rule."""
        return self._transport.json(Call("PATCH", "/api/user-rules" + path_of(id), json=json_of({**body})), ListUserRulesResponseDataItem)

    def backtest(self, **rule: Unpack[BacktestUserRuleRequest]) -> BacktestUserRuleResponse:
        """Returns the detections that the rule of a file would create from stored events. Read-only."""
        return self._transport.json(Call("POST", "/api/user-rules/backtest", json=json_of({**rule})), BacktestUserRuleResponse)


class Detectors:
    """Hosts that run the detector."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> ListDetectorsResponse:
        """Lists all hosts with a detector."""
        return self._transport.json(Call("GET", "/api/detectors"), ListDetectorsResponse)

    def create_token(self, **body: Unpack[CreateDetectorTokenRequest]) -> CreateDetectorTokenResponse:
        """Creates a one-time token with which a host is enrolled. For administrators."""
        return self._transport.json(Call("POST", "/api/admin/detector-tokens", json=json_of({**body})), CreateDetectorTokenResponse)

    def revoke(self, hostname: str) -> None:
        """Revokes the key of a host. For administrators."""
        self._transport.nothing(Call("DELETE", "/api/admin/detectors" + path_of(hostname)))
