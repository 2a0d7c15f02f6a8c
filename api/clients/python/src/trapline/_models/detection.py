"""Events, detections and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Union

from pydantic import Field
from typing_extensions import TypeAlias, TypedDict

from .base import Model

Severity: TypeAlias = Literal["info", "low", "medium", "high", "critical"]
DetectionStatus: TypeAlias = Literal["new", "acknowledged", "closed"]
Verdict: TypeAlias = Literal["true_positive", "false_positive", "benign"]
VerdictFilter: TypeAlias = Literal["true_positive", "false_positive", "benign", "null"]
EventType: TypeAlias = Literal[
    "RegisterProbe", "LinuxKernelTrap", "LinuxFatalSignal", "LinuxSuppressedCallback", "ConfigMismatch"
]


class RejectedEvent(Model):
    index: int
    """Index of the element, from 0."""
    code: str
    path: str
    message: str


class SubmitEventsResponse(Model):
    accepted: int
    rejected: list[RejectedEvent]
    """The first 1,000 rejections."""
    rejected_total: int | None = None
    """Total number of rejections, listed or not. None from servers that list all."""


class CursorPage(Model):
    limit: int
    next_cursor: str | None = None
    """None on the last page."""


class StoredEvent(Model):
    """A stored event."""

    id: str
    topic: str
    partition: int
    offset: int
    received: datetime
    time: str
    """Time of the event, RFC 3339 with nine fractional digits, more than a `datetime` holds."""
    hex: dict[str, str]
    """Addresses of the event as hexadecimal text."""
    event: dict[str, Any]
    """The event as it was sent."""


class ListEventsResponse(CursorPage):
    data: list[StoredEvent]


class DetectionRule(Model):
    id: str
    version: int
    name: str


class HostRisk(Model):
    """Risk of a host, computed from its detections."""

    score: float
    normalised: float
    """On a scale of 0 to 100."""
    level: str


class Detection(Model):
    """One episode of one rule against one program, in its latest revision."""

    etag: str | None = None
    """ETag for `if_match`; not in lists."""
    id: str
    """`det_…`"""
    revision: int
    rule: DetectionRule
    severity: Severity
    hostname: str | None = None
    hosts: list[str] = []
    """Hosts of a campaign, which has no `hostname`: at most 256."""
    hosts_total: int = 0
    procname: str | None = None
    file: str | None = None
    register_: str | None = Field(default=None, alias="register")
    """The probed register. Every class has an attribute `register`, so this name differs."""
    executable: str | None = None
    """Value that all crashed processes share, like the following six fields."""
    build_id: str | None = None
    uid: int | None = None
    parent: str | None = None
    unit: str | None = None
    container: str | None = None
    pod: str | None = None
    first_seen: str
    """RFC 3339 with nine fractional digits, more than a `datetime` holds."""
    last_seen: str
    crashes: int
    suppressed_at_least: int
    message: str
    values: list[str]
    values_total: int
    attack: list[dict[str, Any]]
    evidence_count: int
    risk: HostRisk | None = None
    """Highest risk of the host during an alert of `host-risk`; None for other rules."""
    status: DetectionStatus
    verdict: Verdict | None = None
    assignee: str | None = None
    note: str | None = None
    exception: str | None = None
    event: dict[str, Any] | None = None


class DetectionWithEvidence(Detection):
    evidence: list[StoredEvent]
    evidence_complete: bool
    """False: there is more evidence than is included."""


class ListDetectionsResponse(CursorPage):
    data: list[Detection]


DetectionGrouping: TypeAlias = Literal["procname", "hostname", "rule", "campaign"]


class DetectionGroup(Model):
    """Detections with a common value."""

    value: str | None = None
    """Value of the filter with the same name. None: the detections have none."""
    name: str | None = None
    """Name of the rule, or program of the campaign."""
    detections: int
    open: int
    """Number of detections that are neither closed nor silenced by an exception."""
    worst_severity: Severity
    crashes: int
    hosts: int
    """Number of distinct hosts."""
    first_seen: str
    last_seen: str


class DetectionGroups(Model):
    by: DetectionGrouping
    data: list[DetectionGroup]
    """The worst first."""
    groups: int
    """Number of all groups, including those beyond the limit."""
    detections: int
    """Number of all detections that match the filters."""


class DetectionCount(Model):
    detections: int
    as_of: str
    """Time of the count, RFC 3339."""


Names: TypeAlias = Union[str, Sequence[str]]
"""One value, or several of which a record has one."""


class SubjectValues(TypedDict, total=False):
    """Values of both events and detections."""

    hostname: Names
    procname: Names
    file: Names
    register: Names
    executable: Names
    unit: Names
    """Systemd unit."""
    container: Names
    """Container id."""
    pod: Names
    """UID of a Kubernetes pod."""


class EventValues(SubjectValues, total=False):
    """Values of events."""

    type: Union[EventType, Sequence[EventType]]


class DetectionValues(SubjectValues, total=False):
    """Values of detections."""

    parent: Names
    """Executable of the parent process, or its name if the executable is unknown."""
    rule: Names
    """Rule id."""
    campaign: Names
    """Id of the campaign detection; `null`: in no campaign."""
    severity: Union[Severity, Sequence[Severity]]
    status: Union[DetectionStatus, Sequence[DetectionStatus]]
    verdict: Union[VerdictFilter, Sequence[VerdictFilter]]
    """`null`: no verdict."""
    assignee: Names
    """`null`: not assigned."""


class RecordFilters(SubjectValues, total=False):
    """Filters of both events and detections."""

    from_: str
    """RFC 3339, inclusive."""
    to: str
    """RFC 3339, exclusive."""
    detection: str
    """Id of a detection. For events, selects the evidence of that detection."""
    q: str
    """A search expression, such as `nginx` or `hostname:web-*`."""


class EventFilters(RecordFilters, EventValues, total=False):
    """Filters of events."""

    exclude: EventValues
    """Excludes events that have one of these values."""


class DetectionSelection(RecordFilters, DetectionValues, total=False):
    """Filters of detections."""

    exclude: DetectionValues
    """Excludes detections that have one of these values."""


class DetectionFilters(DetectionSelection, total=False):
    """Filters and sort order of detections."""

    sort: Literal["lastSeen", "severity", "crashes", "host", "risk"]
    """Default: by latest evidence."""
    order: Literal["asc", "desc"]


ExportFormat: TypeAlias = Literal["ndjson", "csv", "v1", "ecs", "cef", "ocsf", "parquet"]
"""Formats of an export."""


@dataclass(frozen=True)
class DetectionStreamEvent:
    """An event of the stream of detections. `missed`: the client missed more than the service stores; read the list."""

    event: Literal["detection", "decision", "missed"]
    id: str
    detection: Detection | None
