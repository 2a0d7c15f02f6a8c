"""The groups `events`, `detections` and `rules` of the detection service."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from typing_extensions import Unpack

from .._call import Call, new_key, path_of
from .._models.detection import (
    Detection,
    DetectionCount,
    DetectionFilters,
    DetectionGrouping,
    DetectionGroups,
    DetectionSelection,
    DetectionStatus,
    DetectionWithEvidence,
    EventFilters,
    ListDetectionsResponse,
    ListEventsResponse,
    ListRulesResponse,
    StoredEvent,
    SubmitEventsResponse,
    Verdict,
)
from .._unset import UNSET, Unset, given
from .pages import iterate_cursors
from .transport import AsyncTransport


class AsyncEvents:
    """Events of detectors."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def submit(
        self, events: Iterable[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> SubmitEventsResponse:
        """
        Hands V1 events in; answers when they are durable. Some may have been rejected.

        Raises:
            ServiceValidationError: all were rejected.
            ServiceRateLimitError: the queue is full, nothing was taken.
        """
        lines = "".join(f"{json.dumps(event, allow_nan=False)}\n" for event in events).encode()
        call = Call("POST", "/api/events", lines=lines, idempotency_key=idempotency_key or new_key(), repeatable="by-key")
        return await self._transport.json(call, SubmitEventsResponse)

    async def list(
        self, *, limit: int | None = None, cursor: str | None = None, **filters: Unpack[EventFilters]
    ) -> ListEventsResponse:
        """Events, newest first; 1,000 at most."""
        call = Call("GET", "/api/events", {**filters, "limit": limit, "cursor": cursor})
        return await self._transport.json(call, ListEventsResponse)

    def iterate(self, **filters: Unpack[EventFilters]) -> AsyncIterator[StoredEvent]:
        """All events of `list`, page by page; the list stays the same while data comes in."""

        async def page_of(cursor: str | None):
            page = await self.list(limit=1000, cursor=cursor, **filters)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def get(self, event_id: str) -> StoredEvent:
        """One event."""
        return await self._transport.json(Call("GET", "/api/events" + path_of(event_id)), StoredEvent)


class AsyncDetections:
    """Episodes the rules found."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(
        self, *, limit: int | None = None, cursor: str | None = None, **filters: Unpack[DetectionFilters]
    ) -> ListDetectionsResponse:
        """Detections, newest first; 1,000 at most."""
        call = Call("GET", "/api/detections", {**filters, "limit": limit, "cursor": cursor})
        return await self._transport.json(call, ListDetectionsResponse)

    def iterate(self, **filters: Unpack[DetectionFilters]) -> AsyncIterator[Detection]:
        """All detections of `list`, page by page; the list stays the same while data comes in."""

        async def page_of(cursor: str | None):
            page = await self.list(limit=1000, cursor=cursor, **filters)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    async def get(self, detection_id: str) -> DetectionWithEvidence:
        """One detection with the newest of the events it rests on."""
        path = "/api/detections" + path_of(detection_id)
        return await self._transport.json(Call("GET", path), DetectionWithEvidence)


    async def update(
        self,
        detection_id: str,
        *,
        status: DetectionStatus | Unset = UNSET,
        verdict: Verdict | Unset | None = UNSET,
        assignee: str | Unset | None = UNSET,
        note: str | Unset | None = UNSET,
    ) -> Detection:
        """Decides about a detection. What is not given stays; None takes it back."""
        changes = given(status=status, verdict=verdict, assignee=assignee, note=note)
        path = "/api/detections" + path_of(detection_id)
        return await self._transport.json(Call("PATCH", path, json=changes), Detection)

    async def groups(
        self, by: DetectionGrouping, *, limit: int | None = None, **filters: Unpack[DetectionSelection]
    ) -> DetectionGroups:
        """Detections by program, host, rule or campaign, the worst group first; 100 groups unless `limit` is given."""
        call = Call("GET", "/api/detections/groups", {**filters, "by": by, "limit": limit})
        return await self._transport.json(call, DetectionGroups)

    async def count(self, **filters: Unpack[DetectionSelection]) -> DetectionCount:
        """How many detections the filters choose, exactly."""
        return await self._transport.json(Call("GET", "/api/detections/count", {**filters}), DetectionCount)


class AsyncRules:
    """The catalogue of rules."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self) -> ListRulesResponse:
        """All rules with severity, ATT&CK techniques, thresholds and runbook."""
        return await self._transport.json(Call("GET", "/api/rules"), ListRulesResponse)
