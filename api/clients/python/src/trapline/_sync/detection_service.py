# Made from _async by tools/make_sync.py: change it there.
"""The groups `events` and `detections` of the detection service."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import time

from typing_extensions import Unpack

from .._adapters import adapter_of
from .._call import Call, json_of, new_key, path_of
from .._errors import ServiceConnectionError, ServiceServerError, ServiceTimeoutError
from .._models.detection import (
    Detection,
    DetectionCount,
    DetectionFilters,
    DetectionGrouping,
    DetectionGroups,
    DetectionSelection,
    DetectionStatus,
    DetectionStreamEvent,
    DetectionWithEvidence,
    EventFilters,
    ExportFormat,
    ListDetectionsResponse,
    ListEventsResponse,
    StoredEvent,
    SubmitEventsResponse,
    Verdict,
)
from .._models.generated import (
    ChangeDetectionsRequest,
    ChangeDetectionsResponse,
    ListDetectionHistoryQuery,
    ListDetectionHistoryResponse,
    ListDetectionHistoryResponseDataItem,
    ListProposalsQuery,
    ListProposalsResponse,
    ListProposalsResponseDataItem,
    ListSignsResponse,
    ProposeChangeRequest,
    StreamDetectionsQuery,
    SummarizeDetectionsResponse,
    SummarizeEventsResponse,
    UndoDetectionChangesRequest,
    UndoDetectionChangesResponse,
)
from .._unset import UNSET, Unset, given
from .comments import Comments, LinkedExecutions
from .download import Download
from .executions import read_events
from .pages import iterate_cursors
from .transport import Transport

_AGAIN_SECONDS = 2.0


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

        def page_of(cursor: str | None) -> tuple[Sequence[StoredEvent], str | None]:
            page = self.list(limit=1000, cursor=cursor, **filters)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    def export(self, format: ExportFormat, **filters: Unpack[EventFilters]) -> AbstractContextManager[Download]:
        """Everything that the filters choose in a format, while it comes in: `with … as download`."""
        return self._transport.download(Call("GET", "/api/events", {**filters, "format": format}))

    def summary(self, **filters: Unpack[EventFilters]) -> SummarizeEventsResponse:
        """Counts over time, and the most frequent hosts, programs and files. Default: the last 24 hours."""
        return self._transport.json(Call("GET", "/api/events/summary", {**filters}), SummarizeEventsResponse)

    def get(self, event_id: str) -> StoredEvent:
        """One event."""
        return self._transport.json(Call("GET", "/api/events" + path_of(event_id)), StoredEvent)


class Detections:
    """Episodes the rules found."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.comments = Comments(transport, "/api/detections")
        self.executions = LinkedExecutions(transport, "/api/detections")

    def list(
        self, *, limit: int | None = None, cursor: str | None = None, **filters: Unpack[DetectionFilters]
    ) -> ListDetectionsResponse:
        """Detections, newest first; 1,000 at most."""
        call = Call("GET", "/api/detections", {**filters, "limit": limit, "cursor": cursor})
        return self._transport.json(call, ListDetectionsResponse)

    def iterate(self, **filters: Unpack[DetectionFilters]) -> Iterator[Detection]:
        """All detections of `list`, page by page; the list stays the same while data comes in."""

        def page_of(cursor: str | None) -> tuple[Sequence[Detection], str | None]:
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
        if_match: str | None = None,
    ) -> Detection:
        """
        Decides about a detection. What is not given stays; None takes it back. `if_match`: the `etag` of the detection as it was read; without it the
        last change wins.
        """
        changes = given(status=status, verdict=verdict, assignee=assignee, note=note)
        path = "/api/detections" + path_of(detection_id)
        return self._transport.json(Call("PATCH", path, json=changes, if_match=if_match), Detection)

    def groups(
        self, by: DetectionGrouping, *, limit: int | None = None, **filters: Unpack[DetectionSelection]
    ) -> DetectionGroups:
        """Detections by program, host, rule or campaign, the worst group first; 100 groups unless `limit` is given."""
        call = Call("GET", "/api/detections/groups", {**filters, "by": by, "limit": limit})
        return self._transport.json(call, DetectionGroups)

    def count(self, **filters: Unpack[DetectionSelection]) -> DetectionCount:
        """How many detections the filters choose, exactly."""
        return self._transport.json(Call("GET", "/api/detections/count", {**filters}), DetectionCount)

    def summary(self, **filters: Unpack[DetectionSelection]) -> SummarizeDetectionsResponse:
        """Counts over time, and by rule, severity, status, host and program. Default: the last 24 hours."""
        return self._transport.json(Call("GET", "/api/detections/summary", {**filters}), SummarizeDetectionsResponse)

    def stream(
        self, *, after: str | None = None, **filters: Unpack[StreamDetectionsQuery]
    ) -> Iterator[DetectionStreamEvent]:
        """
        New and grown detections, and decisions about them, as they come. A connection that breaks is made again and goes on behind the last event;
        an event may come twice, which id and revision show. `after`: the place to go on behind.
        """
        return stream_detections(self._transport, after, {**filters})

    def export(self, format: ExportFormat, **filters: Unpack[DetectionSelection]) -> AbstractContextManager[Download]:
        """Everything that the filters choose in a format, while it comes in: `with … as download`."""
        return self._transport.download(Call("GET", "/api/detections", {**filters, "format": format}))

    def update_all(self, **body: Unpack[ChangeDetectionsRequest]) -> ChangeDetectionsResponse:
        """Decides about many detections: up to 1,000 by id, or those of a filter, page by page."""
        return self._transport.json(Call("POST", "/api/detections/bulk", json=json_of({**body})), ChangeDetectionsResponse)

    def undo(self, **body: Unpack[UndoDetectionChangesRequest]) -> UndoDetectionChangesResponse:
        """Takes changes back. A detection that was changed since is not changed."""
        return self._transport.json(Call("POST", "/api/detections/undo", json=json_of({**body}), repeatable="always"), UndoDetectionChangesResponse)

    def history(self, detection_id: str, **query: Unpack[ListDetectionHistoryQuery]) -> ListDetectionHistoryResponse:
        """What was decided about a detection, and by whom."""
        return self._transport.json(Call("GET", "/api/detections" + path_of(detection_id, "history"), {**query}), ListDetectionHistoryResponse)

    def iterate_history(self, detection_id: str, **query: Unpack[ListDetectionHistoryQuery]) -> Iterator[ListDetectionHistoryResponseDataItem]:
        """All of `history`, page by page."""

        def page_of(cursor: str | None) -> tuple[Sequence[ListDetectionHistoryResponseDataItem], str | None]:
            query["cursor"] = cursor
            page = self.history(detection_id, **query)
            return page.data, page.next_cursor

        return iterate_cursors(page_of)

    def signs(self, detection_id: str) -> ListSignsResponse:
        """Risk signs that an alert rests on."""
        return self._transport.json(Call("GET", "/api/detections" + path_of(detection_id, "signs")), ListSignsResponse)

    def markdown(self, detection_id: str) -> AbstractContextManager[Download]:
        """A detection as Markdown: `with … as download`."""
        return self._transport.download(Call("GET", "/api/detections" + path_of(detection_id, "markdown")))

    def proposals(self, detection_id: str, **query: Unpack[ListProposalsQuery]) -> ListProposalsResponse:
        """Proposed changes. An analyst decides about them in the console: keys cannot."""
        return self._transport.json(Call("GET", "/api/detections" + path_of(detection_id, "proposals"), {**query}), ListProposalsResponse)

    def propose(self, detection_id: str, **body: Unpack[ProposeChangeRequest]) -> ListProposalsResponseDataItem:
        """Proposes a change with its reason."""
        return self._transport.json(Call("POST", "/api/detections" + path_of(detection_id, "proposals"), json=json_of({**body})), ListProposalsResponseDataItem)


def stream_detections(
    transport: Transport, after: str | None, filters: Mapping[str, object]
) -> Iterator[DetectionStreamEvent]:
    last = after
    reached = False
    while True:
        try:
            with transport.download(Call("GET", "/api/detections/stream", {**filters, "last_event_id": last})) as download:
                reached = True
                for id, event, data in read_events(download):
                    last = id or last
                    if event == "end":
                        break
                    if event == "missed":
                        yield DetectionStreamEvent("missed", id, None)
                    elif event == "detection":
                        yield DetectionStreamEvent("detection", id, adapter_of(Detection).validate_json(data))
                    elif event == "decision":
                        yield DetectionStreamEvent("decision", id, adapter_of(Detection).validate_json(data))
        except (ServiceConnectionError, ServiceServerError, ServiceTimeoutError):
            if not reached:
                raise
        time.sleep(_AGAIN_SECONDS)
