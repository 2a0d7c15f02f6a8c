# Made from _async by tools/make_sync.py: change it there.
"""The groups `events`, `detections` and `rules` of the detection service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
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
from .transport import Transport


class Events:
    """Events of detectors."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def submit(
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
        return self._transport.json(call, SubmitEventsResponse)

    def list(
        self, *, limit: int | None = None, cursor: str | None = None, **filters: Unpack[EventFilters]
    ) -> ListEventsResponse:
        """Events, newest first; 1,000 at most."""
        call = Call("GET", "/api/events", {**filters, "limit": limit, "cursor": cursor})
        return self._transport.json(call, ListEventsResponse)

    def iterate(self, **filters: Unpack[EventFilters]) -> Iterator[StoredEvent]:
        """All events of `list`, page by page; the list stays the same while data comes in."""

        def page_of(cursor: str | None):
            page = self.list(limit=1000, cursor=cursor, **filters)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    def get(self, event_id: str) -> StoredEvent:
        """One event."""
        return self._transport.json(Call("GET", "/api/events" + path_of(event_id)), StoredEvent)


class Detections:
    """Episodes the rules found."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self, *, limit: int | None = None, cursor: str | None = None, **filters: Unpack[DetectionFilters]
    ) -> ListDetectionsResponse:
        """Detections, newest first; 1,000 at most."""
        call = Call("GET", "/api/detections", {**filters, "limit": limit, "cursor": cursor})
        return self._transport.json(call, ListDetectionsResponse)

    def iterate(self, **filters: Unpack[DetectionFilters]) -> Iterator[Detection]:
        """All detections of `list`, page by page; the list stays the same while data comes in."""

        def page_of(cursor: str | None):
            page = self.list(limit=1000, cursor=cursor, **filters)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    def get(self, detection_id: str) -> DetectionWithEvidence:
        """One detection with the newest of the events it rests on."""
        path = "/api/detections" + path_of(detection_id)
        return self._transport.json(Call("GET", path), DetectionWithEvidence)


    def update(
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
        return self._transport.json(Call("PATCH", path, json=changes), Detection)

    def groups(
        self, by: DetectionGrouping, *, limit: int | None = None, **filters: Unpack[DetectionSelection]
    ) -> DetectionGroups:
        """Detections by program, host, rule or campaign, the worst group first; 100 groups unless `limit` is given."""
        call = Call("GET", "/api/detections/groups", {**filters, "by": by, "limit": limit})
        return self._transport.json(call, DetectionGroups)

    def count(self, **filters: Unpack[DetectionSelection]) -> DetectionCount:
        """How many detections the filters choose, exactly."""
        return self._transport.json(Call("GET", "/api/detections/count", {**filters}), DetectionCount)


class Rules:
    """The catalogue of rules."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> ListRulesResponse:
        """All rules with severity, ATT&CK techniques, thresholds and runbook."""
        return self._transport.json(Call("GET", "/api/rules"), ListRulesResponse)
