"""Bodies, filters and queries of the API, generated from its OpenAPI description. Not to be edited: see test/api/http/description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Union

from pydantic import Field
from typing_extensions import Required, TypedDict

from .base import Model

class SubmitEventsRequestOption1(Model):
    version: Literal["V1"]
    timestamp: str
    hostname: str | None = None
    event: Union[SubmitEventsRequestOption1EventOption1, SubmitEventsRequestOption1EventOption2, SubmitEventsRequestOption1EventOption3, SubmitEventsRequestOption1EventOption4, SubmitEventsRequestOption1EventOption5]


class SubmitEventsRequestOption1EventOption1(Model):
    type: Literal["RegisterProbe"]
    justification: SubmitEventsRequestOption1EventOption1Justification
    message: str
    procname: str
    register_: str = Field(alias="register")


class SubmitEventsRequestOption1EventOption1Justification(Model):
    full_events: list[dict[str, Any]] | None = Field(default=None, alias="FullEvents")
    register_values: list[str] | None = Field(default=None, alias="RegisterValues")
    event_count: int | None = Field(default=None, alias="EventCount")


class SubmitEventsRequestOption1EventOption2(Model):
    type: Literal["LinuxKernelTrap"]
    errcode: SubmitEventsRequestOption1EventOption2Errcode
    facility: Literal["Kern", "User", "Mail", "Daemon", "Auth", "Syslog", "Lpr", "News", "UUCP", "Cron", "AuthPriv", "FTP"]
    level: Literal["Emergency", "Alert", "Critical", "Error", "Warning", "Notice", "Info", "Debug"]
    ip: int
    sp: int
    pid: int
    procname: str
    trap: Union[SubmitEventsRequestOption1EventOption2TrapOption1, SubmitEventsRequestOption1EventOption2TrapOption2, SubmitEventsRequestOption1EventOption2TrapOption3, SubmitEventsRequestOption1EventOption2TrapOption4]
    file: str | None = None
    vmasize: int | None = None
    vmastart: int | None = None
    signal_code: Any = Field(default=None, alias="signal_code")
    """`si_code` of the signal: positive for a fault, 0 or negative when a process sent it"""
    user_stack: Any = Field(default=None, alias="user_stack")
    """List of addresses, hexadecimal: the instruction pointer, then return addresses"""
    file_build_id: Any = Field(default=None, alias="file_build_id")
    """GNU build id of `file`, hexadecimal"""
    process: Any = None
    """What was read of the process while it existed: `executable`, `build_id`, `uid`, `parent` (`pid`, `name`, `executable`), `unit`, `container` (`id`, `runtime`), `pod` (`uid`). Absent members are not known"""
    signal: Any = None
    """Name of the fatal signal of the same crash"""
    stack_dump: Any = Field(default=None, alias="stack_dump")
    """Registers of the dump of the same crash, as in LinuxFatalSignal"""


class SubmitEventsRequestOption1EventOption2Errcode(Model):
    access_mode: Literal["Kernel", "User"] = Field(alias="access_mode")
    access_type: Literal["Read", "Write"] = Field(alias="access_type")
    instruction_fetch: bool = Field(alias="instruction_fetch")
    protection_keys_block_access: bool = Field(alias="protection_keys_block_access")
    reason: Literal["NoPageFound", "ProtectionFault"]
    use_of_reserved_bit: bool = Field(alias="use_of_reserved_bit")


class SubmitEventsRequestOption1EventOption2TrapOption1(Model):
    type: Literal["Generic"]
    description: str


class SubmitEventsRequestOption1EventOption2TrapOption2(Model):
    type: Literal["Segfault"]
    location: int


class SubmitEventsRequestOption1EventOption2TrapOption3(Model):
    type: Literal["InvalidOpcode"]


class SubmitEventsRequestOption1EventOption2TrapOption4(Model):
    type: Literal["GeneralProtectionFault"]


class SubmitEventsRequestOption1EventOption3(Model):
    type: Literal["LinuxFatalSignal"]
    facility: Literal["Kern", "User", "Mail", "Daemon", "Auth", "Syslog", "Lpr", "News", "UUCP", "Cron", "AuthPriv", "FTP"]
    level: Literal["Emergency", "Alert", "Critical", "Error", "Warning", "Notice", "Info", "Debug"]
    signal: Literal["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGIOT", "SIGBUS", "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO", "SIGPWR"]
    stack_dump: dict[str, str] = Field(alias="stack_dump")
    signal_code: Any = Field(default=None, alias="signal_code")
    """`si_code` of the signal: positive for a fault, 0 or negative when a process sent it"""
    user_stack: Any = Field(default=None, alias="user_stack")
    """List of addresses, hexadecimal: the instruction pointer, then return addresses"""
    file_build_id: Any = Field(default=None, alias="file_build_id")
    """GNU build id of `file`, hexadecimal"""
    process: Any = None
    """What was read of the process while it existed: `executable`, `build_id`, `uid`, `parent` (`pid`, `name`, `executable`), `unit`, `container` (`id`, `runtime`), `pod` (`uid`). Absent members are not known"""
    file: Any = None
    """File that is mapped at the instruction pointer"""
    vmastart: Any = None
    """Address at which that file is mapped"""
    vmasize: Any = None
    """Size of that mapping"""


class SubmitEventsRequestOption1EventOption4(Model):
    type: Literal["LinuxSuppressedCallback"]
    count: int
    facility: Literal["Kern", "User", "Mail", "Daemon", "Auth", "Syslog", "Lpr", "News", "UUCP", "Cron", "AuthPriv", "FTP"]
    function_name: str = Field(alias="function_name")
    level: Literal["Emergency", "Alert", "Critical", "Error", "Warning", "Notice", "Info", "Debug"]


class SubmitEventsRequestOption1EventOption5(Model):
    type: Literal["ConfigMismatch"]
    key: str
    expected_value: str = Field(alias="expected_value")
    observed_value: str = Field(alias="observed_value")


class SubmitEventsResponse(Model):
    accepted: int
    """number of stored events"""
    rejected: list[SubmitEventsResponseRejectedItem]
    """the first 1000 rejected events, in order"""
    rejected_total: int
    """total number of rejected events"""


class SubmitEventsResponseRejectedItem(Model):
    index: int
    """index of the element, from 0"""
    code: str
    path: str
    """JSON path within the element"""
    message: str


class SubmitEventsResponse2(Model):
    issues: list[ErrorEnvelopeIssuesItem]
    request_id: str
    """also the header x-request-id"""
    hint: str | None = None
    docs_url: str | None = None
    accepted: int | None = None
    """number of stored events"""
    rejected: list[SubmitEventsResponseRejectedItem] | None = None
    """the first 1000 rejected events, in order"""
    rejected_total: int | None = None
    """total number of rejected events"""


class ErrorEnvelopeIssuesItem(Model):
    field: str
    """where: a parameter, a header, a path into the body, or <root>"""
    message: str
    code: str
    severity: Literal["error", "warning"]
    line: int | None = None
    """in a text that was sent, from 1"""
    column: int | None = None
    """in that line, from 1"""


class ErrorEnvelope(Model):
    issues: list[ErrorEnvelopeIssuesItem]
    request_id: str
    """also the header x-request-id"""
    hint: str | None = None
    docs_url: str | None = None


class ListEventsResponse(Model):
    data: list[EventRecord]
    limit: int
    next_cursor: str | None
    """null on the last page"""


class EventRecord(Model):
    id: str
    """topic~partition~offset"""
    topic: str
    partition: int
    offset: int
    received: str
    """Time at which the service ingested the event, RFC 3339"""
    time: str
    """Time of the event, RFC 3339 in UTC"""
    hex: EventRecordHex
    """Addresses as text: browsers round JSON integers above 2^53"""
    event: EventRecordEvent
    """The V1 event as received, with all digits and unknown fields"""


class EventRecordHex(Model):
    ip: str | None = None
    """Hexadecimal, 0x…; absent where the event has none"""
    sp: str | None = None
    """Hexadecimal, 0x…; absent where the event has none"""
    location: str | None = None
    """Hexadecimal, 0x…; absent where the event has none"""
    vmastart: str | None = None
    """Hexadecimal, 0x…; absent where the event has none"""


class EventRecordEvent(Model):
    version: str
    timestamp: str
    hostname: str | None = None
    event: EventRecordEventEvent


class EventRecordEventEvent(Model):
    type: str


class SummarizeEventsResponseSeriesItem(Model):
    at: str
    """Start of the bucket"""
    by_type: dict[str, int]
    """Number of events for each type; types without events are omitted"""


class SummarizeEventsResponseTypesItem(Model):
    type: str
    events: int
    """Number of events"""


class SummarizeEventsResponseHostsItem(Model):
    hostname: str | None
    events: int
    """Number of events"""


class SummarizeEventsResponseProgramsItem(Model):
    procname: str | None
    events: int
    """Number of events"""


class SummarizeEventsResponseFilesItem(Model):
    file: str | None
    events: int
    """Number of events"""


class SummarizeEventsResponse(Model):
    from_: str = Field(alias="from")
    """start of the first bucket"""
    to: str
    """end of the last bucket"""
    step_seconds: int
    """length of a bucket in seconds"""
    events: int
    """Number of events that match the filters"""
    crashes: int | None
    """Number of distinct crashes, counted as detections count them; null without the filter `detection`"""
    series: list[SummarizeEventsResponseSeriesItem]
    """One entry for each bucket"""
    types: list[SummarizeEventsResponseTypesItem]
    """Most frequent first"""
    hosts: list[SummarizeEventsResponseHostsItem]
    """The 50 most frequent"""
    programs: list[SummarizeEventsResponseProgramsItem]
    """The 50 most frequent"""
    files: list[SummarizeEventsResponseFilesItem]
    """The 50 most frequent"""


class ListDetectionsResponse(Model):
    data: list[Detection]
    limit: int
    next_cursor: str | None
    """null on the last page"""


class DetectionRisk(Model):
    """Highest risk of the host during an alert of its signs; null for other rules"""
    score: float
    """Points of the signs, added up; each loses half in 24 hours without new evidence"""
    normalised: float
    """The score on a scale of 0 to 100; a score of 50 is 50"""
    level: Literal["Critical", "High", "Moderate", "Low", "Unknown"]
    """Critical from 90 on the scale, High from 70, Moderate from 40, Low from 20"""


class Detection(Model):
    id: str
    revision: int
    """Grows with every piece of evidence"""
    rule: DetectionRule
    severity: Literal["info", "low", "medium", "high", "critical"]
    hostname: str | None
    hosts: list[str]
    """Hosts of a campaign, which has no hostname, by name; 256 at most. Empty otherwise"""
    hosts_total: int
    """All hosts of the campaign; 0 otherwise"""
    procname: str | None
    file: str | None
    register_: str | None = Field(alias="register")
    executable: str | None
    """Executable of the processes that crashed; null when unknown or different"""
    build_id: str | None
    """GNU build id of that executable; null when unknown or different"""
    uid: int | None
    """User id of the processes that crashed; null when unknown or different"""
    parent: str | None
    """Executable of their parent process, or its name; null when unknown or different"""
    unit: str | None
    """Unit of systemd that they belong to; null when unknown or different"""
    container: str | None
    """Id of their container; null when unknown, none or different"""
    pod: str | None
    """Uid of their Kubernetes pod; null when unknown, none or different"""
    first_seen: str
    """RFC 3339, UTC, nine fractional digits; time of the first evidence"""
    last_seen: str
    """RFC 3339, UTC, nine fractional digits; time of the latest evidence"""
    crashes: int
    """Crashes of the program that were logged during the episode"""
    suppressed_at_least: int
    """Crashes the kernel says it did not log: a lower bound, without those whose dump was logged"""
    message: str
    values: list[str]
    """Distinct evidence values, hexadecimal, capped"""
    values_total: int
    attack: list[AttackTechnique]
    evidence_count: int
    risk: DetectionRisk | None
    """Highest risk of the host during an alert of its signs; null for other rules"""
    status: Literal["new", "acknowledged", "closed"]
    verdict: Literal["true_positive", "false_positive", "benign"] | None
    assignee: str | None
    note: str | None
    exception: str | None
    """Id of the exception that silences it"""
    event: Any
    """The V1 RegisterProbe event"""


class DetectionRule(Model):
    id: str
    """Id of a rule; GET /api/rules lists them"""
    version: int
    name: str


class AttackTechnique(Model):
    tactic: str
    """ATT&CK tactic id, e.g. TA0002"""
    technique: str
    """ATT&CK technique id, e.g. T1203"""
    name: str
    """Name of the technique"""


class DetectionWithEvidenceRisk(Model):
    """Highest risk of the host during an alert of its signs; null for other rules"""
    score: float
    """Points of the signs, added up; each loses half in 24 hours without new evidence"""
    normalised: float
    """The score on a scale of 0 to 100; a score of 50 is 50"""
    level: Literal["Critical", "High", "Moderate", "Low", "Unknown"]
    """Critical from 90 on the scale, High from 70, Moderate from 40, Low from 20"""


class DetectionWithEvidence(Model):
    id: str
    revision: int
    """Grows with every piece of evidence"""
    rule: DetectionRule
    severity: Literal["info", "low", "medium", "high", "critical"]
    hostname: str | None
    hosts: list[str]
    """Hosts of a campaign, which has no hostname, by name; 256 at most. Empty otherwise"""
    hosts_total: int
    """All hosts of the campaign; 0 otherwise"""
    procname: str | None
    file: str | None
    register_: str | None = Field(alias="register")
    executable: str | None
    """Executable of the processes that crashed; null when unknown or different"""
    build_id: str | None
    """GNU build id of that executable; null when unknown or different"""
    uid: int | None
    """User id of the processes that crashed; null when unknown or different"""
    parent: str | None
    """Executable of their parent process, or its name; null when unknown or different"""
    unit: str | None
    """Unit of systemd that they belong to; null when unknown or different"""
    container: str | None
    """Id of their container; null when unknown, none or different"""
    pod: str | None
    """Uid of their Kubernetes pod; null when unknown, none or different"""
    first_seen: str
    """RFC 3339, UTC, nine fractional digits; time of the first evidence"""
    last_seen: str
    """RFC 3339, UTC, nine fractional digits; time of the latest evidence"""
    crashes: int
    """Crashes of the program that were logged during the episode"""
    suppressed_at_least: int
    """Crashes the kernel says it did not log: a lower bound, without those whose dump was logged"""
    message: str
    values: list[str]
    """Distinct evidence values, hexadecimal, capped"""
    values_total: int
    attack: list[AttackTechnique]
    evidence_count: int
    risk: DetectionWithEvidenceRisk | None
    """Highest risk of the host during an alert of its signs; null for other rules"""
    status: Literal["new", "acknowledged", "closed"]
    verdict: Literal["true_positive", "false_positive", "benign"] | None
    assignee: str | None
    note: str | None
    exception: str | None
    """Id of the exception that silences it"""
    event: Any
    """The V1 RegisterProbe event"""
    evidence: list[EventRecord]
    """Newest events of the evidence, at most 1,000"""
    evidence_complete: bool
    """false if there are more"""


class DecisionChange(TypedDict, total=False):
    status: Literal["new", "acknowledged", "closed"]
    """Triage status"""
    verdict: Literal["true_positive", "false_positive", "benign"] | None
    """Verdict of the triage; null: not decided"""
    assignee: str | None
    """Assigned analyst: username of an account with the role analyst or admin; null: not assigned"""
    note: str | None
    """Note of the analyst; null: none"""


class ListSignsResponseDataItemDetectionsItem(Model):
    id: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    status: Literal["new", "acknowledged", "closed"]
    verdict: Literal["true_positive", "false_positive", "benign"] | None
    crashes: int
    """Crashes of the program that were logged during the episode"""
    first_seen: str
    """RFC 3339, UTC, nine fractional digits; time of the first evidence"""
    last_seen: str
    """RFC 3339, UTC, nine fractional digits; time of the latest evidence"""


class ListSignsResponseDataItem(Model):
    rule: DetectionRule
    procname: str | None
    """null: the signal is about the host"""
    points: float
    """Time of the latest evidence of the alert"""
    detections: list[ListSignsResponseDataItemDetectionsItem]
    """If there are several, the one with the most points counts"""


class ListSignsResponse(Model):
    data: list[ListSignsResponseDataItem]


class SummarizeDetectionsResponseSeriesItem(Model):
    at: str
    """Start of the bucket"""
    by_severity: dict[str, int]
    """Number of detections for each severity; severities without detections are omitted"""


class SummarizeDetectionsResponseRulesItem(Model):
    rule: str
    detections: int
    """Number of detections"""
    open: int
    """Number of detections that are neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseSeveritiesItem(Model):
    severity: str
    detections: int
    """Number of detections"""
    open: int
    """Number of detections that are neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseStatusesItem(Model):
    status: str
    detections: int
    """Number of detections"""
    open: int
    """Number of detections that are neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseVerdictsItem(Model):
    verdict: str | None
    detections: int
    """Number of detections"""
    open: int
    """Number of detections that are neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseHostsItem(Model):
    hostname: str | None
    detections: int
    """Number of detections"""
    open: int
    """Number of detections that are neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseProgramsItem(Model):
    procname: str | None
    detections: int
    """Number of detections"""
    open: int
    """Number of detections that are neither closed nor silenced by an exception"""


class SummarizeDetectionsResponse(Model):
    from_: str = Field(alias="from")
    """start of the first bucket"""
    to: str
    """end of the last bucket"""
    step_seconds: int
    """length of a bucket in seconds"""
    detections: int
    """Number of detections that match the filters"""
    open: int
    """Number of detections that are neither closed nor silenced by an exception"""
    silenced: int
    """Number of detections that are silenced by an exception"""
    series: list[SummarizeDetectionsResponseSeriesItem]
    """One entry for each bucket, by time of the latest evidence"""
    rules: list[SummarizeDetectionsResponseRulesItem]
    """Most frequent first"""
    severities: list[SummarizeDetectionsResponseSeveritiesItem]
    """Most frequent first"""
    statuses: list[SummarizeDetectionsResponseStatusesItem]
    """Most frequent first"""
    verdicts: list[SummarizeDetectionsResponseVerdictsItem]
    """Most frequent first"""
    hosts: list[SummarizeDetectionsResponseHostsItem]
    """The 50 most frequent"""
    programs: list[SummarizeDetectionsResponseProgramsItem]
    """The 50 most frequent"""


class GroupDetectionsResponseDataItem(Model):
    value: str | None
    """Common value of the detections of the group; null: they have none"""
    name: str | None
    """Name of the rule, or program of the campaign; null: unknown"""
    detections: int
    """Number of detections of the group"""
    open: int
    """Number of detections that are neither closed nor silenced by an exception"""
    worst_severity: Literal["info", "low", "medium", "high", "critical"]
    """Highest severity of the group"""
    crashes: int
    """Number of logged crashes of all detections"""
    hosts: int
    """Number of distinct hosts"""
    first_seen: str
    """Time of the earliest evidence, RFC 3339"""
    last_seen: str
    """Time of the latest evidence, RFC 3339"""


class GroupDetectionsResponse(Model):
    by: Literal["procname", "hostname", "rule", "campaign"]
    """The requested limit"""
    data: list[GroupDetectionsResponseDataItem]
    """By severity, then by number of open detections, then by number of all detections, highest first"""
    groups: int
    """Number of all groups, including those beyond the limit"""
    detections: int
    """Number of detections that match the filters"""


class CountDetectionsResponse(Model):
    detections: int
    """Number of detections that match the filters"""
    as_of: str
    """Time of the count. Pass it to a bulk change to change the same detections"""


class ListHostsResponseDataItem(Model):
    hostname: str | None
    """null: events without a host name"""
    first_seen: str
    """Time of the first event, RFC 3339"""
    last_seen: str
    """Time of the latest event, RFC 3339"""
    events: int
    """Events"""
    crashes: int
    """Number of crashes. A trap line and the register dump of the same process within 2 s count once. Signals from another process are not crashes"""
    detections: int
    """Number of detections, at any time"""
    open_detections: int
    """Number of detections that are neither closed nor silenced by an exception"""
    risk: ListHostsResponseDataItemRisk
    """Risk score at `to`, or now. Silenced, false-positive and benign detections do not count"""
    programs: int
    """Number of programs that crashed on the host; approximate above 60,000"""


class ListHostsResponse(Model):
    data: list[ListHostsResponseDataItem]
    limit: int
    """The requested page size"""
    next_cursor: str | None
    """null on the last page"""


class ListHostsResponseDataItemRisk(Model):
    score: float
    """Points of the signs, added up; each loses half in 24 hours without new evidence"""
    normalised: float
    """The score on a scale of 0 to 100; a score of 50 is 50"""
    level: Literal["Critical", "High", "Moderate", "Low", "Unknown"]
    """Critical from 90 on the scale, High from 70, Moderate from 40, Low from 20"""


class ListProcessesResponseDataItem(Model):
    hostname: str | None
    """null: events without a host name"""
    first_seen: str
    """Time of the first event, RFC 3339"""
    last_seen: str
    """Time of the latest event, RFC 3339"""
    events: int
    """Events"""
    crashes: int
    """Number of crashes. A trap line and the register dump of the same process within 2 s count once. Signals from another process are not crashes"""
    detections: int
    """Number of detections, at any time"""
    open_detections: int
    """Number of detections that are neither closed nor silenced by an exception"""
    risk: ListHostsResponseDataItemRisk
    """Risk score at `to`, or now. Silenced, false-positive and benign detections do not count"""
    procname: str


class ListProcessesResponse(Model):
    data: list[ListProcessesResponseDataItem]
    limit: int
    """The requested page size"""
    next_cursor: str | None
    """null on the last page"""


class ListDeadLettersResponse(Model):
    data: list[DeadLetter]
    limit: int
    next_cursor: str | None
    """null on the last page"""


class DeadLetter(Model):
    id: str
    """`<topic>~<partition>~<offset>`"""
    topic: str
    partition: int
    offset: int
    received: str
    """Time of receipt, RFC 3339"""
    code: str
    """Reason for the rejection"""
    path: str
    """JSON path of the invalid value"""
    message: str
    redriven: str | None
    """Time at which a redrive accepted it; null: not yet"""
    raw: str
    """The record as received, unchanged"""
    raw_encoding: Literal["utf8", "base64"]
    """`base64` if the bytes are not text"""


class RedriveDeadLettersRequest(TypedDict, total=False):
    ids: Sequence[str]
    filter: Mapping[str, Any]
    limit: int
    """maximum number of dead letters that match the filter"""
    cursor: str
    """`nextCursor` of the previous response"""


class RedriveDeadLettersResponseResultsItem(Model):
    id: str
    outcome: Literal["accepted", "rejected", "already_redriven", "not_found", "queue_full"]
    code: str | None = None
    """code of the new rejection"""
    path: str | None = None
    message: str | None = None


class RedriveDeadLettersResponse(Model):
    results: list[RedriveDeadLettersResponseResultsItem]
    next_cursor: str | None
    """Cursor of the next matches of the filter; null: there are no more"""
    total: int | None = None
    """Number of matches before the first redrive; only without a cursor, and if the count is fast"""


class StartDemoResponse(Model):
    events: int
    """number of stored events"""


class ListRulesResponse(Model):
    data: list[Rule]


class RuleStatistics(Model):
    """null for a user rule"""
    base_rate: str
    """Model of normal crash behaviour, from which the rate of false alarms is computed"""
    false_alarms_per_month: float
    """Expected rate on a normal host, with up to 15 faults per program and at most one crash loop a month"""
    false_alarm_for_each: str | None
    """Event that causes one false alarm each time it occurs; null: none known"""
    evasions: list[RuleStatisticsEvasionsItem]
    """Known evasions, cheapest first"""


class Rule(Model):
    id: str
    """Id of a rule; GET /api/rules lists them"""
    version: int
    name: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    attack: list[AttackTechnique]
    summary: str
    """What the rule fires on, in one sentence"""
    runbook: RuleRunbook
    """Guidance for an analyst who investigates a detection of the rule"""
    statistics: RuleStatistics | None
    """null for a user rule"""
    enabled: bool
    thresholds: list[RuleThresholdsItem]
    etag: str
    """Version of its settings, for If-Match"""
    origin: Literal["built-in", "user"]
    """user: user rule, which has no thresholds"""
    author: str | None
    """Actor of the last change, for a pushed rule"""


class RuleRunbook(Model):
    next_checks: list[str]
    """Recommended steps, in order"""
    false_positives: list[str]
    """Benign causes that look similar"""


class RuleStatisticsEvasionsItem(Model):
    evasion: str
    price: str
    """Cost for the attacker"""
    days: float | None
    """Duration of the attack with this evasion, in days; null: the cost is not time"""


class RuleThresholdsItem(Model):
    name: str
    default: Any
    value: Any
    description: str


class ChangeRuleRequest(TypedDict, total=False):
    enabled: bool | None
    """null: the value of the rules file, otherwise on"""
    thresholds: Mapping[str, Any]
    """Threshold for each name; null: the value of the rules file, otherwise the default"""


class ChangeDetectionsRequest(TypedDict, total=False):
    detections: Sequence[Mapping[str, Any]]
    """Detections, at most 1,000"""
    filter: Mapping[str, Any]
    """Instead of `detections`: all detections that match these filters of the list, one page per request"""
    as_of: str | datetime
    """With a filter: excludes later detections; value from GET /api/detections/count"""
    limit: int
    """With a filter: number of detections in this request"""
    cursor: str
    """With a filter: `nextCursor` of the previous response"""
    change: Required[Mapping[str, Any]]
    """Change that is applied to all of them"""


class ChangeDetectionsRequestDetectionsItemSeen(Model):
    status: Literal["new", "acknowledged", "closed"] | None = None
    """Triage status"""
    verdict: Literal["true_positive", "false_positive", "benign"] | None = None
    """Verdict of the triage; null: not decided"""
    assignee: str | None = None
    """Assigned analyst: username of an account with the role analyst or admin; null: not assigned"""
    note: str | None = None
    """Note of the analyst; null: none"""


class ChangeDetectionsResponse(Model):
    next_cursor: str | None
    """Cursor of the next page of the filter; null on the last page, or if the request names detections"""
    results: list[ChangeDetectionsResponseResultsItem]
    """In the order of the request or list"""


class ChangeDetectionsResponseResultsItem(Model):
    id: str
    outcome: Literal["updated", "unchanged", "changed_meanwhile", "not_found"]
    """changed_meanwhile: the detection no longer matched its ETag or `seen`, so nothing was changed"""
    etag: str | None
    """Current state; null: the detection does not exist"""


class UndoDetectionChangesRequest(TypedDict, total=False):
    detections: Required[Sequence[Mapping[str, Any]]]
    """Detections, at most 1,000"""


class UndoDetectionChangesResponse(Model):
    results: list[ChangeDetectionsResponseResultsItem]
    """In the order of the request or list"""


class ListDetectionHistoryResponseDataItem(Model):
    version: int
    """1 for the first change"""
    at: str
    """When"""
    actor: str
    """user:<id>, key:<keyId> or operator"""
    username: str | None
    """Username at the time of the change"""
    automation: str | None
    """Slug of the workflow or agent that made the change on behalf of the account; null: a user or a client"""
    execution_id: str | None
    """Execution of the workflow or agent"""
    before: ChangeDetectionsRequestDetectionsItemSeen
    """Changed fields with their values before"""
    after: ChangeDetectionsRequestDetectionsItemSeen
    """The same fields with their values after"""


class ListDetectionHistoryResponse(Model):
    data: list[ListDetectionHistoryResponseDataItem]
    limit: int
    """The requested page size"""
    next_cursor: str | None
    """null on the last page"""


class ListProposalsResponse(Model):
    data: list[ListProposalsResponseDataItem]


class ListProposalsResponseDataItemDecided(Model):
    """Actor and time of the decision; null: the proposal is open"""
    at: str
    actor: str
    username: str | None


class ListProposalsResponseDataItem(Model):
    id: str
    """Id of a proposal"""
    detection_id: str
    """Id of a detection"""
    created_at: str
    """Time of the proposal"""
    actor: str
    """user:<id>, key:<keyId> or operator"""
    username: str | None
    """Username at the time of the proposal"""
    change: ChangeDetectionsRequestDetectionsItemSeen
    """Proposed triage"""
    reason: str
    """Reason, shown to the analyst who decides on the proposal"""
    state: Literal["open", "accepted", "declined", "replaced"]
    """`replaced`: the same caller made a newer proposal"""
    decided: ListProposalsResponseDataItemDecided | None
    """Actor and time of the decision; null: the proposal is open"""


class ProposeChangeRequest(TypedDict, total=False):
    change: Required[Mapping[str, Any]]
    """Proposed triage"""
    reason: Required[str]
    """Reason, shown to the analyst who decides on the proposal"""


class ListExceptionsResponseFileItem(Model):
    id: str
    hostname: str | None = None
    program: str | None = None
    file: str | None = None
    rule: str | None = None
    reason: str


class ListExceptionsResponse(Model):
    data: list[DetectionException]
    """Exceptions created through the API, newest first"""
    file: list[ListExceptionsResponseFileItem]
    """Exceptions of the rules file, which only the operator can change. They have precedence"""
    limit: int
    """The requested page size"""
    next_cursor: str | None
    """null on the last page"""


class DetectionException(Model):
    id: str
    hostname: str | None
    program: str | None
    file: str | None
    rule: str | None
    expires: str | None
    reason: str
    detection: str | None
    """Detection that the exception was created from"""
    created_at: str
    created_by: str
    created_by_name: str | None
    """Name of the user, or of the key and its user; null: unknown"""
    ended_at: str | None
    """Time of the removal; null: the exception is active"""
    ended_by: str | None
    ended_by_name: str | None
    """As createdByName"""
    request: str | None
    """Approved request that created the exception"""


class CreateExceptionRequest(TypedDict, total=False):
    hostname: str
    """Host; `*` any text, `?` one character, all of the value must match"""
    program: str
    """Process name or program; `*` any text, `?` one character, all of the value must match"""
    file: str
    """Mapped file; `*` any text, `?` one character, all of the value must match"""
    rule: str
    """Id of the rule; `*` any text, `?` one character, all of the value must match"""
    expires: str | None
    """RFC 3339; compared with the time of the evidence. null: never"""
    detection: str
    """Detection to create the exception from. If hostname, program, file and rule are all absent, the exception covers its rule on its host for its program"""
    reason: Required[str]
    """Why"""


class CreateExceptionResponse(Model):
    id: str
    hostname: str | None
    program: str | None
    file: str | None
    rule: str | None
    expires: str | None
    reason: str
    detection: str | None
    """Detection that the exception was created from"""
    created_at: str
    created_by: str
    created_by_name: str | None
    """Name of the user, or of the key and its user; null: unknown"""
    ended_at: str | None
    """Time of the removal; null: the exception is active"""
    ended_by: str | None
    ended_by_name: str | None
    """As createdByName"""
    request: str | None
    """Approved request that created the exception"""
    silenced: int | None
    """Number of open detections that were silenced immediately; null: they will be silenced within seconds"""


class PreviewExceptionRequest(TypedDict, total=False):
    hostname: str
    """Host; `*` any text, `?` one character, all of the value must match"""
    program: str
    """Process name or program; `*` any text, `?` one character, all of the value must match"""
    file: str
    """Mapped file; `*` any text, `?` one character, all of the value must match"""
    rule: str
    """Id of the rule; `*` any text, `?` one character, all of the value must match"""
    expires: str | None
    """RFC 3339; compared with the time of the evidence. null: never"""
    detection: str
    """Detection to create the exception from. If hostname, program, file and rule are all absent, the exception covers its rule on its host for its program"""


class PreviewExceptionResponseExamplesItem(Model):
    id: str
    rule: str
    hostname: str | None
    procname: str | None
    file: str | None
    last_seen: str
    message: str


class PreviewExceptionResponse(Model):
    exception: dict[str, Any]
    """The exception as it would be created"""
    examined: int
    """Number of examined detections, newest first"""
    complete: bool
    """false if there are more"""
    silenced: int
    """Number of detections that it would have silenced"""
    open: int
    """Number of these detections that are open"""
    examples: list[PreviewExceptionResponseExamplesItem]
    """The newest of them, at most 20"""


class GetExceptionPolicyResponse(Model):
    analysts: Literal["create", "request"]
    """create: analysts create exceptions; request: they request them, and an administrator decides"""
    may_create: bool
    """Whether the caller may create exceptions. If false, the caller may request them"""
    may_decide: bool
    """Whether the caller may decide on requests of other users"""
    etag: str
    """Version of the request, for If-Match"""
    changed_at: str
    changed_by: str


class ChangeExceptionPolicyRequest(TypedDict, total=False):
    analysts: Required[Literal["create", "request"]]
    """create: analysts create exceptions; request: they request them, and an administrator decides"""


class ListExceptionRequestsResponse(Model):
    data: list[ListExceptionRequestsResponseDataItem]
    """Newest first"""
    open: int
    """Number of open requests"""
    waiting: int
    """Number of open requests that the caller may decide on"""
    limit: int
    """The requested page size"""
    next_cursor: str | None
    """null on the last page"""


class ListExceptionRequestsResponseDataItem(Model):
    id: str
    hostname: str | None
    program: str | None
    file: str | None
    rule: str | None
    expires: str | None
    reason: str
    detection: str | None
    """Detection that the request was made from"""
    created_at: str
    requested_by: str
    requester_name: str | None
    """Username at the time of the request"""
    own: bool
    """Whether the caller made the request, with any of their keys or sessions"""
    state: Literal["open", "approved", "rejected", "withdrawn"]
    decided_at: str | None
    decided_by: str | None
    decided_by_name: str | None
    decision_reason: str | None
    exception: str | None
    """Exception that the approval created"""


class ApproveExceptionRequestRequest(TypedDict, total=False):
    reason: Required[str]
    """Reason, shown to the requester and in the audit log"""


class ApproveExceptionRequestResponse(Model):
    id: str
    hostname: str | None
    program: str | None
    file: str | None
    rule: str | None
    expires: str | None
    reason: str
    detection: str | None
    """Detection that the request was made from"""
    created_at: str
    requested_by: str
    requester_name: str | None
    """Username at the time of the request"""
    own: bool
    """Whether the caller made the request, with any of their keys or sessions"""
    state: Literal["open", "approved", "rejected", "withdrawn"]
    decided_at: str | None
    decided_by: str | None
    decided_by_name: str | None
    decision_reason: str | None
    exception: str | None
    """Exception that the approval created"""
    silenced: int | None
    """Number of open detections that were silenced immediately; null: they will be silenced within seconds"""


class ListUserRulesResponse(Model):
    data: list[ListUserRulesResponseDataItem]


class ListUserRulesResponseDataItem(Model):
    id: str
    """Id of a rule; GET /api/rules lists them"""
    title: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    enabled: bool
    version: int
    """Version of the current text, from 1"""
    sha256: str
    """SHA-256 of the current text, as in the audit log"""
    changed_at: str
    """Time of the last change, RFC 3339"""
    changed_by: str
    """Actor of the last change"""
    refusal: str | None
    """Why this version of Trapline does not run the rule; null: it runs"""


class PushUserRuleRequest(TypedDict, total=False):
    source: Required[str]
    """Rule file in Sigma 2 YAML: one rule, or several rules with a correlation"""


class PushUserRuleResponse(Model):
    id: str
    """Id of a rule; GET /api/rules lists them"""
    title: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    enabled: bool
    version: int
    """Version of the current text, from 1"""
    sha256: str
    """SHA-256 of the current text, as in the audit log"""
    changed_at: str
    """Time of the last change, RFC 3339"""
    changed_by: str
    """Actor of the last change"""
    refusal: str | None
    """Why this version of Trapline does not run the rule; null: it runs"""
    outcome: Literal["created", "updated", "unchanged"]


class GetUserRuleResponseVersionsItem(Model):
    version: int
    sha256: str
    pushed_at: str
    """RFC 3339"""
    pushed_by: str


class GetUserRuleResponse(Model):
    id: str
    """Id of a rule; GET /api/rules lists them"""
    title: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    enabled: bool
    version: int
    """Version of the current text, from 1"""
    sha256: str
    """SHA-256 of the current text, as in the audit log"""
    changed_at: str
    """Time of the last change, RFC 3339"""
    changed_by: str
    """Actor of the last change"""
    refusal: str | None
    """Why this version of Trapline does not run the rule; null: it runs"""
    source: str
    """Text of the requested version; default: the current one"""
    versions: list[GetUserRuleResponseVersionsItem]
    """Newest first, at most 100"""


class ChangeUserRuleRequest(TypedDict, total=False):
    enabled: Required[bool]
    """false: the rule is disabled"""


class BacktestRuleRequest(TypedDict, total=False):
    enabled: bool | None
    """null: the value of the rules file, otherwise on"""
    thresholds: Mapping[str, Any]
    """Threshold for each name; null: the value of the rules file, otherwise the default"""
    from_: str
    """Start of the time range (inclusive), RFC 3339; default 30 days before `to`"""
    to: str
    """End of the time range (exclusive), RFC 3339; default now"""


class BacktestRuleResponseChangedItem(Model):
    before: list[BacktestRuleResponseAddedItem]
    """Detections of the episode with the current settings"""
    after: list[BacktestRuleResponseAddedItem]
    """Detections of the episode with the proposed settings"""


class BacktestRuleResponse(Model):
    from_: str = Field(alias="from")
    """Start of the tested range; later than requested if there were too many events"""
    to: str
    """End of the tested range, exclusive"""
    events: int
    """Number of tested events"""
    complete: bool
    """false if the back-test stopped early because of its limits"""
    current: BacktestRuleResponseCurrent
    """Result with the current settings"""
    proposed: BacktestRuleResponseCurrent
    """Result with the proposed settings"""
    added: list[BacktestRuleResponseAddedItem]
    """Detections that only the proposed settings find, at most 20"""
    removed: list[BacktestRuleResponseAddedItem]
    """Detections that only the current settings find, at most 20"""
    changed: list[BacktestRuleResponseChangedItem]
    """Episodes that both settings find, but as different detections of the same program and register that overlap in time. If one side merges or splits an episode, the other has several detections. At most 20"""


class BacktestRuleResponseCurrent(Model):
    detections: int
    """Number of detections of the rule"""
    silenced: int
    """Number of these detections that match an exception"""


class BacktestRuleResponseAddedItem(Model):
    id: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    hostname: str | None
    procname: str | None
    message: str
    crashes: int
    first_seen: str
    """Time of the first evidence, RFC 3339"""
    last_seen: str
    """Time of the latest evidence, RFC 3339"""


class BacktestUserRuleRequest(TypedDict, total=False):
    source: Required[str]
    """Rule file in Sigma 2 YAML: one rule, or several rules with a correlation"""
    from_: str
    """Start of the time range (inclusive), RFC 3339; default 30 days before `to`"""
    to: str
    """End of the time range (exclusive), RFC 3339; default now"""


class BacktestUserRuleResponse(Model):
    from_: str = Field(alias="from")
    """Start of the tested range; later than requested if there were too many events"""
    to: str
    """End of the tested range, exclusive"""
    events: int
    """Number of events in the requested range"""
    judged: int
    """Number of these events that the rule evaluated. ClickHouse filters out events that cannot match"""
    complete: bool
    """false if the back-test stopped early because of its limits"""
    detections: int
    """Number of detections of the rule"""
    silenced: int
    """Number of these detections that match an exception"""
    found: list[BacktestRuleResponseAddedItem]
    """Sample of at most 20 detections"""


class CreateDetectorTokenRequest(TypedDict, total=False):
    expires_in_minutes: int
    """Validity of the token in minutes; at most a week"""
    hostname: str
    """The only host that may use the token. Required to enrol a host again; absent: any new host"""


class CreateDetectorTokenResponse(Model):
    id: str
    """Id of the token in the audit log"""
    token: str
    """The token. Only this response contains it, because the server stores only a hash"""
    expires_at: str
    """Time at which the token expires"""


class EnrolDetectorRequest(TypedDict, total=False):
    token: Required[str]
    """The one-time token"""
    hostname: Required[str]
    """Name of the host in its events"""
    version: str
    """Version of the detector"""


class EnrolDetectorResponse(Model):
    hostname: str
    """Name of the host in its events"""
    key_id: str
    """Public part of a key, before the dot"""
    api_key: str
    """API key of the host, with the scope events:write. Only this response contains it"""


class ListDetectorsResponseDataItem(Model):
    hostname: str
    """Name of the host in its events"""
    key_id: str
    """Public part of a key, before the dot"""
    enrolled_at: str
    """Time of the last enrolment"""
    version: str | None
    """Version of the detector"""
    source: str | None
    """Sources that the detector reads; null: not reported yet"""
    last_seen_at: str | None
    """Time of the last report; null: never"""
    silent: bool
    """true: no report for five minutes"""
    lag_ms: int | None
    """Age of the oldest event that the server has not yet accepted, ms; 0: no event is waiting"""
    lost_records: int | None
    """Number of kernel records that were overwritten before the detector read them"""
    refused_events: int | None
    """Number of events that the server rejected since the detector started, such as events of another host"""
    dropped_events: int | None
    """Number of events lost since the detector started, because the spool of the host was full"""
    settings: dict[str, str]
    """Kernel settings that decide which crashes are logged, by name"""


class ListDetectorsResponse(Model):
    data: list[ListDetectorsResponseDataItem]


class ReportDetectorStatusRequest(TypedDict, total=False):
    version: Required[str]
    """Version of the detector"""
    source: Required[str]
    """Sources that the detector reads"""
    lag_ms: Required[int]
    """Age of the oldest event that the server has not yet accepted, ms; 0: no event is waiting"""
    lost_records: Required[int]
    """Number of kernel records that were overwritten before the detector read them"""
    refused_events: int
    """Number of events that the server rejected since the detector started, such as events of another host"""
    dropped_events: int
    """Number of events lost since the detector started, because the spool of the host was full"""
    settings: Required[Mapping[str, Any]]
    """Kernel settings that decide which crashes are logged, by name"""
    hostname: str
    """Name of the host in its events. It must be the host of the key"""


class ListTeamsResponse(Model):
    data: list[ListTeamsResponseDataItem]
    """The requested page"""
    total: int
    """Total number of matches"""
    limit: int
    """As requested"""
    offset: int
    """As requested"""


class ListTeamsResponseDataItem(Model):
    id: str
    """team_…"""
    name: str
    description: str
    member_count: int
    members: list[ListTeamsResponseDataItemMembersItem] | None = None
    """only for administrators and members of the team"""
    created_at: str
    """RFC 3339"""
    updated_at: str
    """RFC 3339"""


class ListTeamsResponseDataItemMembersItem(Model):
    id: str
    username: str


class ListExecutionsResponse(Model):
    data: list[RecentExecution]
    """The requested page"""
    total: int
    """Total number of matches"""
    limit: int
    """As requested"""
    offset: int
    """As requested"""


class RecentExecutionStartedByUser(Model):
    """Username, for a start in the console or by a key; null: the account was deleted"""
    id: str
    username: str


class RecentExecutionStartedBy(Model):
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: RecentExecutionStartedByUser | None
    """Username, for a start in the console or by a key; null: the account was deleted"""
    key_label: str | None
    """Label of the API key, visible to its owner and to administrators"""
    execution_id: str | None
    """Execution whose step started this one"""


class RecentExecution(Model):
    id: str
    kind: Literal["workflow", "agent"]
    name: str
    """Slug of the workflow or agent"""
    status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]
    trigger_type: str
    error: str | None
    created_at: str
    """RFC 3339"""
    started_at: str | None
    """RFC 3339"""
    completed_at: str | None
    """RFC 3339"""
    started_by: RecentExecutionStartedBy | None = None
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""


class ExecutionStartedByUser(Model):
    """Username, for a start in the console or by a key; null: the account was deleted"""
    id: str
    username: str


class ExecutionStartedBy(Model):
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: ExecutionStartedByUser | None
    """Username, for a start in the console or by a key; null: the account was deleted"""
    key_label: str | None
    """Label of the API key, visible to its owner and to administrators"""
    execution_id: str | None
    """Execution whose step started this one"""


class Execution(Model):
    id: str
    kind: Literal["workflow", "agent"]
    name: str
    """Slug of the workflow or agent"""
    status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]
    trigger_type: str
    error: str | None
    created_at: str
    """RFC 3339"""
    started_at: str | None
    """RFC 3339"""
    completed_at: str | None
    """RFC 3339"""
    started_by: ExecutionStartedBy | None = None
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""
    workflow_id: str | None
    """wf_…; null for an agent"""
    agent_id: str | None
    """awf_…; null for a workflow"""
    input: Any
    result: Any
    """Result of the workflow, or output of the agent; null until completion"""
    source_execution_id: str | None
    """Execution that this one repeats"""
    cancel_requested_at: str | None
    """RFC 3339"""
    duration_ms: int | None


class CancelExecutionResponse(Model):
    execution_id: str
    status: Literal["cancelled", "cancellation-requested", "already-terminal"]
    was_status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]


class SuspendExecutionResponse(Model):
    execution_id: str
    status: Literal["suspended", "suspension-requested", "already-suspended", "cancellation-requested", "already-terminal"]
    """suspension-requested: its running tasks have to end first, or it is still queued"""
    was_status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]


class ResumeExecutionResponse(Model):
    execution_id: str
    status: Literal["resumed", "not-suspended", "already-terminal"]
    was_status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]


class GetExecutionSuspensionResponseSuspension(Model):
    """null: it is not suspended, or it has ended"""
    requested_at: str
    """RFC 3339"""
    suspended_at: str | None
    """time of the suspension; null: its running tasks have not ended"""


class GetExecutionSuspensionResponse(Model):
    suspension: GetExecutionSuspensionResponseSuspension | None
    """null: it is not suspended, or it has ended"""


class ListWaitsResponse(Model):
    data: list[Wait]
    limit: int
    next_cursor: str | None


class WaitFiltersItemCorrelateValue(Model):
    from_: str = Field(alias="from")
    """expression on the event"""
    expect: Any = None
    """value that the expression must return; absent: the value for the first event"""


class WaitFiltersItem(Model):
    with_: dict[str, Any] = Field(alias="with")
    """attributes that an event must have. A string can be a regular expression; expressions are not evaluated"""
    correlate: dict[str, WaitFiltersItemCorrelateValue]


class WaitWorkflow(Model):
    """null: the execution is that of an agent"""
    id: str
    name: str
    title: str | None
    summary: str | None


class WaitAgent(Model):
    """null: the execution is that of a workflow"""
    id: str
    name: str
    title: str | None
    summary: str | None


class WaitToolCall(Model):
    """tool call that needs a decision; null: the wait is not for a tool call"""
    tool: str
    arguments: str
    """JSON, without values of secrets. Untrusted: the agent chose the arguments, possibly from data of an attacker"""
    truncated: bool
    """true if the arguments were truncated"""
    expires_at: str
    """time at which the call is rejected if there is no decision"""


class WaitApprovalApproversItemOption1(Model):
    user: str


class WaitApprovalApproversItemOption2(Model):
    team: str


class WaitApprovalApproversItemOption3(Model):
    role: Literal["user", "analyst", "admin"]


class WaitApproval(Model):
    """approvers, as named by the workflow; null: it names none"""
    approvers: list[Union[WaitApprovalApproversItemOption1, WaitApprovalApproversItemOption2, WaitApprovalApproversItemOption3]]
    """empty: everyone with the right to approve"""
    except_: list[Literal["starter", "lastEditor"]] = Field(alias="except")
    count: int
    """number of different users that must approve"""


class WaitDecisionsItem(Model):
    by: str
    approved: bool
    note: str | None


class Wait(Model):
    execution_id: str
    """exec_…"""
    wait: str
    """unique in its execution"""
    step: str
    """path of the step in the definition"""
    mode: Literal["one", "any", "all"]
    """whether an event for one filter suffices, or each filter needs one"""
    filters: list[WaitFiltersItem]
    since: str
    workflow: WaitWorkflow | None
    """null: the execution is that of an agent"""
    agent: WaitAgent | None
    """null: the execution is that of a workflow"""
    tool_call: WaitToolCall | None
    """tool call that needs a decision; null: the wait is not for a tool call"""
    input: Any = None
    """input of the execution; omitted if it is larger than 16 KiB"""
    approval: WaitApproval | None
    """approvers, as named by the workflow; null: it names none"""
    decisions: list[WaitDecisionsItem]
    may_decide: bool
    """whether the caller may decide and has not yet decided"""


class CountWaitsResponse(Model):
    count: int


class DecideWaitRequest(TypedDict, total=False):
    execution_id: Required[str]
    """exec_…"""
    wait: Required[str]
    """`wait` of the list of waits"""
    approved: Required[bool]
    note: str
    """part of the event, and of the audit log"""


class DecideWaitResponse(Model):
    outcome: Literal["approved", "rejected", "counted"]
    """counted: more approvals are needed"""
    approvals: int | None = None
    """so far, when counted"""
    needed: int | None = None


class ListSecretsResponse(Model):
    data: list[Secret]


class Secret(Model):
    name: str
    hosts: list[str] | None
    """the only hosts that tasks may send the value to; null: any host"""
    created_at: str
    """RFC 3339"""
    updated_at: str
    """RFC 3339"""


class SetSecretRequest(TypedDict, total=False):
    value: Required[str]
    hosts: Sequence[str] | None
    """Only hosts that tasks may send the value to; null: any host; absent: unchanged. Connections use TLS, except to hosts that begin with `http://`"""


class CloudEvent(TypedDict, total=False):
    specversion: Required[Literal["1.0"]]
    id: Required[str]
    source: Required[str]
    type: Required[str]
    subject: str
    time: str | datetime
    datacontenttype: str
    dataschema: str
    data: Any


class SendExecutionEventsResponse(Model):
    accepted: int
    """number of new events"""
    duplicates: int
    """number of duplicates, by source and id"""


class SignalExecutionResponse(Model):
    execution_id: str
    event_id: str
    state: Literal["pending", "replied", "too-large", "ended"]
    """too-large: the reply is larger than 256 KiB and was discarded. ended: the execution ended without a reply"""
    execution_status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]
    reply: dict[str, Any] | None
    """CloudEvent that the execution sent as the reply"""


class ListWorkflowsResponseDataItem(Model):
    id: str
    """wf_…"""
    name: str
    """the slug"""
    kind: Literal["workflow", "block"]
    version: str
    """tag of the current release"""
    archived: bool | None = None
    """true: the workflow is deleted, so it is neither listed nor run. Absent: it is active"""
    created_at: str
    """RFC 3339"""
    updated_at: str
    """RFC 3339"""
    title: str | None = None
    """title from the definition, if the request sets `titles`"""


class ListWorkflowsResponse(Model):
    data: list[ListWorkflowsResponseDataItem]
    """The requested page"""
    total: int
    """Total number of matches"""
    limit: int
    """As requested"""
    offset: int
    """As requested"""


class GetWorkflowResponse(Model):
    id: str
    """wf_…"""
    name: str
    """the slug"""
    kind: Literal["workflow", "block"]
    version: str
    """tag of the current release"""
    archived: bool | None = None
    """true: the workflow is deleted, so it is neither listed nor run. Absent: it is active"""
    created_at: str
    """RFC 3339"""
    updated_at: str
    """RFC 3339"""
    definition: dict[str, Any]
    """parsed definition"""
    yaml_content: str
    """definition as sent"""


class ReleaseWorkflowRequest(TypedDict, total=False):
    yaml_content: Required[str]
    """a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB"""
    version: str
    """tag of the release; default: the next number"""
    kind: Literal["workflow", "block"]
    """default: unchanged; `workflow` for a new workflow"""
    visibility: Literal["private", "shared"]
    """default: unchanged; `private` for a new workflow"""
    notes: str


class ReleaseWorkflowResponse(Model):
    workflow: Workflow
    version: WorkflowVersion
    visibility: Literal["private", "shared"]
    released: bool
    """false: the definition is unchanged, so no version was created"""
    warnings: list[ReleaseWorkflowResponseWarningsItem]


class Workflow(Model):
    id: str
    """wf_…"""
    name: str
    """the slug"""
    kind: Literal["workflow", "block"]
    version: str
    """tag of the current release"""
    archived: bool | None = None
    """true: the workflow is deleted, so it is neither listed nor run. Absent: it is active"""
    created_at: str
    """RFC 3339"""
    updated_at: str
    """RFC 3339"""


class WorkflowVersion(Model):
    id: str
    """wfh_…"""
    workflow_id: str
    version: str
    """the tag"""
    yaml_content: str | None = None
    """omitted in lists if it is larger than 256 KiB"""
    is_current: bool
    created_at: str
    """RFC 3339"""


class ReleaseWorkflowResponseWarningsItem(Model):
    field: str
    message: str
    code: str
    severity: Literal["warning"]
    line: int | None = None
    column: int | None = None


class ListWorkflowTasksResponseDataItem(Model):
    path: str
    """Path of its steps in executions, without loop indexes"""
    parent: str | None
    """Path of the task that contains it; null for a task of the workflow itself"""
    role: str | None
    """List of the parent that contains the task: `do`, `try`, `catch`, `foreach`, `branch`; null: it has no parent"""
    name: str
    kind: str
    """Key of the task: set, call, for …"""
    detail: str | None
    """Short label of what the task calls, iterates or runs"""
    condition: str | None
    """Condition: the task is skipped unless this expression is true"""
    next: str | None
    """Next task by name, `end` or `exit`; null for the next task of the list"""
    flow: Literal["sequence", "parallel", "attempt", "choice", "end"]
    """`sequence`: the inner tasks, then the next task. `parallel`: the inner tasks run concurrently. `attempt`: `try`, and `catch` after an error. `choice`: one of the cases. `end`: no task follows"""
    cases: list[ListWorkflowTasksResponseDataItemCasesItem]


class ListWorkflowTasksResponse(Model):
    version: str
    """tag"""
    data: list[ListWorkflowTasksResponseDataItem]
    """All tasks; a task follows the task that contains it"""


class ListWorkflowTasksResponseDataItemCasesItem(Model):
    name: str
    when: str | None
    """The expression; null: the value is not an expression"""
    next: str | None
    """As `next` of a task"""


class GetWorkflowGraphResponse(Model):
    version: str
    """tag"""
    mermaid: str
    """Mermaid flowchart"""


class RollbackWorkflowRequest(TypedDict, total=False):
    version: Required[str]
    """id or tag of the version that becomes the current one"""


class ListWorkflowVersionsResponse(Model):
    data: list[WorkflowVersion]
    """The requested page"""
    total: int
    """Total number of matches"""
    limit: int
    """As requested"""
    offset: int
    """As requested"""


class CompareWorkflowVersionsResponse(Model):
    from_: str = Field(alias="from")
    """tag"""
    to: str
    """tag"""
    diff: str
    """unified diff; empty if the versions are equal"""


class ListWorkflowExecutionsResponse(Model):
    data: list[ListedExecution]
    """The requested page"""
    total: int
    """Total number of matches"""
    limit: int
    """As requested"""
    offset: int
    """As requested"""


class ListedExecutionWorkflow(Model):
    id: str
    name: str


class ListedExecutionStartedByUser(Model):
    """Username, for a start in the console or by a key; null: the account was deleted"""
    id: str
    username: str


class ListedExecutionStartedBy(Model):
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: ListedExecutionStartedByUser | None
    """Username, for a start in the console or by a key; null: the account was deleted"""
    key_label: str | None
    """Label of the API key, visible to its owner and to administrators"""
    execution_id: str | None
    """Execution whose step started this one"""


class ListedExecution(Model):
    id: str
    """exec_…"""
    workflow_id: str
    status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]
    created_at: str
    """RFC 3339"""
    trigger_type: str | None = None
    """api, cli, schedule, webhook, event, detection, workflow, rerun …"""
    trigger_input: Any = None
    result: Any = None
    error: str | None = None
    started_at: str | None = None
    """RFC 3339"""
    completed_at: str | None = None
    """RFC 3339"""
    duration_ms: int | None = None
    workflow: ListedExecutionWorkflow | None
    started_by: ListedExecutionStartedBy | None = None
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""


class WorkflowExecutionWorkflow(Model):
    id: str
    name: str


class WorkflowExecutionStartedByUser(Model):
    """Username, for a start in the console or by a key; null: the account was deleted"""
    id: str
    username: str


class WorkflowExecutionStartedBy(Model):
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: WorkflowExecutionStartedByUser | None
    """Username, for a start in the console or by a key; null: the account was deleted"""
    key_label: str | None
    """Label of the API key, visible to its owner and to administrators"""
    execution_id: str | None
    """Execution whose step started this one"""


class WorkflowExecution(Model):
    id: str
    """exec_…"""
    workflow_id: str
    status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]
    created_at: str
    """RFC 3339"""
    trigger_type: str | None = None
    """api, cli, schedule, webhook, event, detection, workflow, rerun …"""
    trigger_input: Any = None
    result: Any = None
    error: str | None = None
    started_at: str | None = None
    """RFC 3339"""
    completed_at: str | None = None
    """RFC 3339"""
    duration_ms: int | None = None
    workflow: WorkflowExecutionWorkflow | None
    started_by: WorkflowExecutionStartedBy | None = None
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""
    execution_id: str
    steps: list[ExecutionStep] | None = None
    """only with includeSteps=true"""


class ExecutionStep(Model):
    step: str
    """path in the definition, with the indexes of the enclosing loops"""
    name: str
    kind: str
    status: Literal["running", "waiting", "completed", "failed", "cancelled", "skipped"]
    attempt: int
    input: Any = None
    output: Any = None
    error: Any = None
    started_at: str
    """RFC 3339"""
    completed_at: str | None = None
    """RFC 3339"""
    duration_ms: int | None = None


class RerunWorkflowExecutionResponse(Model):
    execution_id: str
    source_execution_id: str
    status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]


class CheckWorkflowRequest(TypedDict, total=False):
    yaml_content: Required[str]
    """a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB"""


class CheckWorkflowResponseIssuesItem(Model):
    field: str
    message: str
    code: str
    severity: Literal["error", "warning"]
    line: int | None = None
    column: int | None = None


class CheckWorkflowResponseTasksItem(Model):
    path: str
    """Path of its steps in executions, without loop indexes"""
    parent: str | None
    """Path of the task that contains it; null for a task of the workflow itself"""
    role: str | None
    """List of the parent that contains the task: `do`, `try`, `catch`, `foreach`, `branch`; null: it has no parent"""
    name: str
    kind: str
    """Key of the task: set, call, for …"""
    detail: str | None
    """Short label of what the task calls, iterates or runs"""
    condition: str | None
    """Condition: the task is skipped unless this expression is true"""
    next: str | None
    """Next task by name, `end` or `exit`; null for the next task of the list"""
    flow: Literal["sequence", "parallel", "attempt", "choice", "end"]
    """`sequence`: the inner tasks, then the next task. `parallel`: the inner tasks run concurrently. `attempt`: `try`, and `catch` after an error. `choice`: one of the cases. `end`: no task follows"""
    cases: list[ListWorkflowTasksResponseDataItemCasesItem]
    place: list[Union[str, int]]
    """Keys and indexes that lead to the task in the definition"""


class CheckWorkflowResponse(Model):
    valid: bool
    issues: list[CheckWorkflowResponseIssuesItem]
    tasks: list[CheckWorkflowResponseTasksItem]
    """Empty if the definition is invalid"""


class DryRunWorkflowRequest(TypedDict, total=False):
    yaml_content: Required[str]
    """a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB"""
    execution_id: Required[str]
    """Id (exec_…) of a finished execution of this workflow, whose input and recorded results are used"""


class DryRunWorkflowResponse(Model):
    execution_id: str
    """exec_…"""


class GetWorkflowLimitsResponsePaused(Model):
    at: str
    """RFC 3339"""
    by: str
    """actor that paused it, as in the audit log"""
    reason: str | None


class GetWorkflowLimitsResponse(Model):
    paused: GetWorkflowLimitsResponsePaused | None
    declared: GetWorkflowLimitsResponseDeclared
    """`document.metadata.limits` of the current version"""
    holding: int
    """number of executions that hold a slot of `concurrency`"""
    waiting: int
    """number of queued starts; 10000 means 10000 or more"""
    queues: list[GetWorkflowLimitsResponseQueuesItem]
    """the 20 longest queues"""


class GetWorkflowLimitsResponseDeclared(Model):
    concurrency: GetWorkflowLimitsResponseDeclaredConcurrency | None = None
    throttle: GetWorkflowLimitsResponseDeclaredThrottle | None = None
    debounce: GetWorkflowLimitsResponseDeclaredDebounce | None = None
    batch: GetWorkflowLimitsResponseDeclaredThrottle | None = None
    priority: Union[int, str] | None = None
    """a number, or jq over the input"""
    retention_ms: int | None = None
    """ms"""


class GetWorkflowLimitsResponseDeclaredConcurrency(Model):
    max: int
    key: str | None = None
    """jq over the input; absent: one key for all starts"""


class GetWorkflowLimitsResponseDeclaredThrottle(Model):
    max: int
    period_ms: int
    """ms"""
    key: str | None = None
    """jq over the input; absent: one key for all starts"""


class GetWorkflowLimitsResponseDeclaredDebounce(Model):
    period_ms: int
    """ms"""
    max_delay_ms: int
    """ms"""
    key: str | None = None
    """jq over the input; absent: one key for all starts"""


class GetWorkflowLimitsResponseQueuesItem(Model):
    reason: Literal["paused", "debounce", "batch", "concurrency", "throttle", "concurrency-key"]
    """paused: the workflow is paused. debounce, batch: the execution waits for further starts. concurrency, throttle: the limit is reached. concurrency-key: another execution has the same concurrency key"""
    key: str | None
    holding: int
    """number of executions that hold a slot of this key"""
    waiting: int
    oldest: str
    """time at which the oldest of them was accepted"""
    until: str | None
    """earliest time at which the next one can begin, if known"""


class GetExecutionLimitsResponseWaitsFor(Model):
    """null: no limit delays it"""
    reason: Literal["paused", "debounce", "batch", "concurrency", "throttle", "concurrency-key"]
    """paused: the workflow is paused. debounce, batch: the execution waits for further starts. concurrency, throttle: the limit is reached. concurrency-key: another execution has the same concurrency key"""
    key: str | None
    """key of the limit as JSON, or the hash of a long one; null for a limit without one"""
    ahead: int
    """number of starts before it in the same queue; 1000 means 1000 or more"""
    until: str | None
    """earliest time at which it can begin, if known"""
    merged_starts: int
    """number of starts that a debounce or batch has merged into it"""


class GetExecutionLimitsResponse(Model):
    waits_for: GetExecutionLimitsResponseWaitsFor | None
    """null: no limit delays it"""


class ListPausedWorkflowsResponseDataItem(Model):
    at: str
    """RFC 3339"""
    by: str
    """actor that paused it, as in the audit log"""
    reason: str | None
    workflow: PausedWorkflow


class ListPausedWorkflowsResponse(Model):
    data: list[ListPausedWorkflowsResponseDataItem]
    """most recent pauses first, at most 1000"""


class PausedWorkflow(Model):
    id: str
    name: str


class CountBulkActionRequest(TypedDict, total=False):
    action: Required[Literal["cancel", "replay"]]
    statuses: Sequence[Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]]
    """cancel: unfinished statuses, default all of them. replay: finished statuses, default failed"""
    from_: str | datetime
    """created at or after this time"""
    to: str | datetime
    """created at or before this time"""
    version: Literal["latest", "same"]
    """replay: the current version (default), or the version of the original execution"""
    expected: int
    """number of executions that the user confirmed. If more executions match now, the server changes nothing and responds with 400"""


class CountBulkActionResponse(Model):
    count: int
    """executions that the filter chooses, counted up to 10001"""
    max: int
    """maximum number of executions for a bulk action"""


class StartBulkActionResponse(Model):
    id: str
    """bulk_…"""
    action: Literal["cancel", "replay"]
    filters: StartBulkActionResponseFilters
    version: Literal["latest", "same"] | None = None
    by: str
    """actor that started the bulk action, as in the audit log"""
    status: Literal["running", "stopping", "stopped", "completed"]
    total: int
    done: int
    skipped: int
    """cancel: number of executions that had already ended. replay: number of executions that could not be started, or are dry runs"""
    problem: str | None
    """reason for the most recently skipped execution"""
    created_at: str
    """RFC 3339"""
    ended_at: str | None
    """RFC 3339"""


class StartBulkActionResponseFilters(Model):
    statuses: list[Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]] | None = None
    """cancel: unfinished statuses, default all of them. replay: finished statuses, default failed"""
    from_: str | None = Field(default=None, alias="from")
    """created at or after this time"""
    to: str | None = None
    """created at or before this time"""


class ListBulkActionsResponse(Model):
    data: list[StartBulkActionResponse]
    """the 20 most recent"""


class GetWorkflowAccessResponse(Model):
    visibility: Literal["private", "shared"]
    """shared: every user with the right to run workflows may run it"""
    run: bool
    edit: bool
    share: bool
    """change its grants and visibility"""


class ListWorkflowGrantsResponse(Model):
    data: list[ListWorkflowGrantsResponseDataItem]


class ListWorkflowGrantsResponseDataItem(Model):
    id: str
    """grant_…"""
    permission: Literal["view", "run", "edit", "approve"]
    user: str | None
    """username"""
    team: str | None
    """name of the team"""
    role: Literal["user", "analyst", "admin"] | None
    """everyone with this role or a higher one"""
    created_at: str
    """RFC 3339"""


class GrantWorkflowRequest(TypedDict, total=False):
    permission: Required[Literal["view", "run", "edit", "approve"]]
    """view: read the workflow and all its executions. run: also start and cancel executions. edit: also release and change the workflow. approve: view, and decide on approvals for which the workflow names no approvers"""
    user: str
    """Username"""
    team: str
    role: Literal["user", "analyst", "admin"]
    """Everyone with this role or a higher one"""


class RunWorkflowRequest(TypedDict, total=False):
    input: Any
    """JSON; default: an empty object"""
    overrides: Mapping[str, Any] | None
    """Outputs of steps, by name. These steps are not executed"""
    trigger: Literal["api", "cli"]
    example_id: str | None
    priority: int
    """higher priorities run first; default 0"""
    concurrency_key: str
    """of the executions with the same key, only one runs at a time"""


class RunWorkflowForm(Model):
    json_: str | None = Field(default=None, alias="_json")
    """The fields of the JSON body, as JSON"""


class RunWorkflowResponse(Model):
    execution_id: str
    """exec_…"""
    status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"] | None = None
    result: Any = None
    error: str | None = None


class ListWorkflowTriggersResponse(Model):
    data: list[Trigger]
    """At most one trigger of each kind"""


class Trigger(Model):
    id: str
    """trg_…"""
    kind: Literal["schedule", "after", "event", "webhook"]
    """schedule: at fixed times. after: after the end of the last execution. event: on matching events. webhook: on a signed request"""
    enabled: bool
    spec: dict[str, Any]
    """parameters of the trigger from the definition; times are UTC"""
    problem: str | None
    """why the trigger does not work"""
    next_at: str | None
    """next time of a schedule"""
    last_at: str | None
    """last time at which the trigger started an execution"""
    missed: int
    """scheduled times that were missed because no worker was running"""


class ChangeWorkflowTriggerRequest(TypedDict, total=False):
    enabled: Required[bool]
    """True if it starts executions"""


class OpenWorkflowWebhookResponse(Model):
    path: str
    """URL that receives deliveries with POST"""
    header: str
    """header that contains the signature"""
    secret: str
    """secret for the signatures. Only this response contains it"""


class ListCasesResponse(Model):
    data: list[Case]
    """Newest first"""
    limit: int
    """The requested page size"""
    next_cursor: str | None
    """null on the last page"""


class Case(Model):
    id: str
    """Id of a case"""
    number: int
    """Number to refer to the case by: 1, 2, 3 …; numbers can be missing"""
    etag: str
    """ETag for If-Match. It covers the fields of the case, but not its detections, tasks and files"""
    title: str
    """Title of the case"""
    description: str | None
    """Markdown; null: none"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Severity of the case, which can differ from that of its detections"""
    status: Literal["open", "in_progress", "closed"]
    """Status of the work"""
    reason: Literal["resolved", "false_positive", "benign", "duplicate"] | None
    """Reason for closing; null: the case is not closed"""
    assignee: str | None
    """Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned"""
    campaign: str | None
    """Campaign detection that opened the case; null: a user opened it"""
    detections: int
    """Number of linked detections"""
    tasks: int
    """Number of tasks"""
    tasks_done: int
    """Number of completed tasks"""
    created_at: str
    created_by: str
    """user:<id>, key:<keyId>, operator or system"""
    changed_at: str
    """Time of the last change of its fields, detections, tasks or files"""
    acknowledged_at: str | None
    """Time at which the case was first in progress, closed or assigned"""
    closed_at: str | None
    time_to_acknowledge: float | None
    """Seconds from opening to acknowledgement; null: not yet acknowledged"""
    time_to_close: float | None
    """Seconds from opening to the last closing; null: the case is not closed"""


class CreateCaseRequest(TypedDict, total=False):
    title: str
    """Title of the case"""
    description: str | None
    """Markdown; null: none"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Default: severity of the template, otherwise the highest severity of the detections, otherwise medium"""
    assignee: str | None
    """Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned"""
    detections: Sequence[str]
    """Detections to link, at most 1,000"""
    template: str
    """Template for title, severity and tasks"""


class WholeCase(Model):
    id: str
    """Id of a case"""
    number: int
    """Number to refer to the case by: 1, 2, 3 …; numbers can be missing"""
    etag: str
    """ETag for If-Match. It covers the fields of the case, but not its detections, tasks and files"""
    title: str
    """Title of the case"""
    description: str | None
    """Markdown; null: none"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Severity of the case, which can differ from that of its detections"""
    status: Literal["open", "in_progress", "closed"]
    """Status of the work"""
    reason: Literal["resolved", "false_positive", "benign", "duplicate"] | None
    """Reason for closing; null: the case is not closed"""
    assignee: str | None
    """Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned"""
    campaign: str | None
    """Campaign detection that opened the case; null: a user opened it"""
    detections: int
    """Number of linked detections"""
    tasks: int
    """Number of tasks"""
    tasks_done: int
    """Number of completed tasks"""
    created_at: str
    created_by: str
    """user:<id>, key:<keyId>, operator or system"""
    changed_at: str
    """Time of the last change of its fields, detections, tasks or files"""
    acknowledged_at: str | None
    """Time at which the case was first in progress, closed or assigned"""
    closed_at: str | None
    time_to_acknowledge: float | None
    """Seconds from opening to acknowledgement; null: not yet acknowledged"""
    time_to_close: float | None
    """Seconds from opening to the last closing; null: the case is not closed"""
    detection_ids: list[str]
    """Linked detections, in the order in which they were added"""
    task_list: list[CaseTask]
    """Tasks, in order"""
    files: list[CaseFile]
    """Evidence files, oldest first"""


class CaseTask(Model):
    id: str
    """Id of a task"""
    title: str
    """Title of the task"""
    assignee: str | None
    done: bool


class CaseFile(Model):
    id: str
    """Id of a file of a case"""
    filename: str
    """File name, as the sender gave it"""
    size: int
    """Bytes"""
    sha256: str
    """SHA-256 of the content, hexadecimal"""
    added_at: str
    added_by: str
    username: str | None


class ChangeCaseRequest(TypedDict, total=False):
    title: str
    """Title of the case"""
    description: str | None
    """Markdown; null: none"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Severity of the case, which can differ from that of its detections"""
    status: Literal["open", "in_progress", "closed"]
    """Status of the work"""
    reason: Literal["resolved", "false_positive", "benign", "duplicate"] | None
    """Required when the case is closed, and not allowed otherwise"""
    assignee: str | None
    """Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned"""


class AddCaseDetectionsRequest(TypedDict, total=False):
    detections: Required[Sequence[str]]
    """At most 1,000"""


class AddCaseDetectionsResponseResultsItem(Model):
    id: str
    outcome: Literal["added", "present", "not_found"]


class AddCaseDetectionsResponse(Model):
    results: list[AddCaseDetectionsResponseResultsItem]
    """In the order of the request"""


class CreateCaseTaskRequest(TypedDict, total=False):
    title: Required[str]
    """Title of the task"""
    assignee: str | None
    """Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned"""


class ChangeCaseTaskRequest(TypedDict, total=False):
    title: str
    """Title of the task"""
    assignee: str | None
    """Analyst responsible for the case: username of an account with the role analyst or admin; null: not assigned"""
    done: bool
    """Whether the task is completed"""


class GetCaseTimelineResponse(Model):
    data: list[CaseHappening]
    """Oldest first"""
    complete: bool
    """false if the oldest entries are omitted: only the newest 2,000 are returned"""


class CaseHappening(Model):
    at: str
    actor: str
    username: str | None
    kind: Literal["created", "changed", "detections_added", "detection_removed", "task_added", "task_changed", "task_removed", "file_added", "file_removed", "execution_linked", "comment"]
    data: dict[str, Any]
    """Depends on the kind: `before` and `after` of changed fields, `detections`, `task`, `file`, `execution`, or `comment` with its id and text"""


class GetCaseMetricsResponse(Model):
    from_: str = Field(alias="from")
    to: str
    opened: int
    """Number of cases opened in the range"""
    still_open: int
    """Number of these cases that are not closed"""
    time_to_acknowledge: GetCaseMetricsResponseTimeToAcknowledge
    """Time to acknowledge, for acknowledged cases that were opened in the range"""
    time_to_close: GetCaseMetricsResponseTimeToAcknowledge
    """Time to close, for closed cases that were opened in the range"""


class GetCaseMetricsResponseTimeToAcknowledge(Model):
    count: int
    """Number of cases that the value is computed from"""
    p50: float | None
    """Seconds; null without cases"""
    p95: float | None
    """Seconds; null without cases"""


class ListCaseTemplatesResponse(Model):
    data: list[CaseTemplate]


class CaseTemplate(Model):
    id: str
    """Id of a template of cases"""
    etag: str
    """ETag for If-Match"""
    name: str
    """Unique, ignoring case"""
    title: str
    """Title of the case"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Severity of the case, which can differ from that of its detections"""
    tasks: list[str]
    """Titles of the tasks, in order"""
    changed_at: str
    changed_by: str


class CreateCaseTemplateRequest(TypedDict, total=False):
    name: Required[str]
    """Unique, ignoring case"""
    title: Required[str]
    """Title of the case"""
    severity: Required[Literal["info", "low", "medium", "high", "critical"]]
    """Severity of the case, which can differ from that of its detections"""
    tasks: Required[Sequence[str]]
    """Titles of the tasks, in order"""


class SearchPeopleResponse(Model):
    data: list[Person]


class Person(Model):
    username: str
    """Username"""
    email: str
    """E-mail address, in lower case"""
    role: Literal["analyst", "admin"]


class ListDetectionCommentsResponse(Model):
    data: list[Comment]
    """Oldest first"""
    limit: int
    """The requested page size"""
    next_cursor: str | None
    """null on the last page"""


class Comment(Model):
    id: str
    created_at: str
    actor: str
    """Author: user:<id>, key:<keyId> or operator"""
    username: str | None
    """Username of the author at that time"""
    text: str | None
    """Markdown; null: the comment was deleted"""
    mentions: list[str]
    """Names that the text mentions, without `@`"""
    edited_at: str | None
    """null: never edited"""
    deleted_at: str | None
    """null: not deleted"""
    own: bool
    """Whether the caller wrote it, and may edit and delete it"""


class CreateDetectionCommentRequest(TypedDict, total=False):
    text: Required[str]
    """Markdown, at most 10,000 characters. `@name` mentions an analyst, who is notified by e-mail"""


class ListDetectionExecutionsResponse(Model):
    data: list[LinkedExecution]
    """Newest first, at most 200"""


class LinkedExecution(Model):
    execution_id: str
    """exec_…"""
    kind: Literal["workflow", "agent"]
    name: str | None
    """Slug of the workflow or agent"""
    at: str
    """Time at which the execution was linked"""
    actor: str
    username: str | None
    status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"] | None
    """Status of the execution; null when it was deleted"""


class LinkDetectionExecutionRequest(TypedDict, total=False):
    execution_id: Required[str]
    """Id of an execution that the caller may see"""


class ListOutputKindsResponseDataItem(Model):
    type: str
    label: str
    description: str
    unavailable: str | None
    """Why this installation cannot use the kind, and what to set"""
    sends_cases: bool
    """Whether outputs of this kind can send cases"""
    settings: list[ListOutputKindsResponseDataItemSettingsItem]
    secrets: list[ListOutputKindsResponseDataItemSettingsItem]
    """Encrypted at rest; no response contains their values"""


class ListOutputKindsResponse(Model):
    data: list[ListOutputKindsResponseDataItem]


class ListOutputKindsResponseDataItemSettingsItem(Model):
    name: str
    label: str
    description: str | None
    input: Literal["text", "number", "switch", "choice", "pem"]
    """Form control; `pem`: several lines of PEM text"""
    required: bool
    default: Union[str | None, float | None, bool | None]
    choices: list[ListOutputKindsResponseDataItemSettingsItemChoicesItem] | None
    """Values of a choice"""


class ListOutputKindsResponseDataItemSettingsItemChoicesItem(Model):
    value: str
    label: str


class ListOutputsResponse(Model):
    data: list[Output]


class Output(Model):
    id: str
    etag: str
    """ETag of the definition, for If-Match"""
    name: str
    type: str
    """Kind of output; see GET /api/output-kinds"""
    enabled: bool
    settings: dict[str, Any]
    filter: OutputFilter
    secrets: list[str]
    """Names of the secrets that are set"""
    created_at: str
    created_by: str
    created_by_name: str | None
    """Name of the user, or of the key and its user; null: unknown"""
    updated_at: str


class OutputFilter(Model):
    min_severity: Literal["info", "low", "medium", "high", "critical"] | None = None
    """Only of this severity or above"""
    rules: list[str] | None = None
    """Only of these rules"""
    hosts: list[str] | None = None
    """Only of these hosts; * matches any text"""
    causes: list[Literal["opened", "grown", "closed"]] | None = None
    """Only when a detection is opened, continues (`grown`) or is closed"""
    cases: list[Literal["opened", "changed", "closed"]] | None = None
    """Also sends cases of `minSeverity` or above when they are opened, changed or closed. If absent, no case is sent"""


class OutputFilter2(Model):
    min_severity: Literal["info", "low", "medium", "high", "critical"] | None = None
    """Only of this severity or above"""
    rules: list[str] | None = None
    """Only of these rules"""
    hosts: list[str] | None = None
    """Only of these hosts; * matches any text"""
    causes: list[Literal["opened", "grown", "closed"]] | None = None
    """Only when a detection is opened, continues (`grown`) or is closed"""
    cases: list[Literal["opened", "changed", "closed"]] | None = None
    """Also sends cases of `minSeverity` or above when they are opened, changed or closed. If absent, no case is sent"""


class ChangeOutputRequest(TypedDict, total=False):
    name: str
    """Unique, ignoring case"""
    enabled: bool
    filter: Mapping[str, Any]
    """Replaces the whole filter"""
    settings: Mapping[str, Any]
    """Replaces all settings"""
    secrets: Mapping[str, Any]
    """Replaces the named secrets; null removes one. A new receiver needs its secrets again"""


class GetOutputDeliveriesResponseLag(Model):
    messages: int
    """Waiting messages, counted up to 10,000"""
    oldest_at: str | None
    """Time of the oldest waiting message"""


class GetOutputDeliveriesResponseLastError(Model):
    at: str
    message: str


class GetOutputDeliveriesResponseDeadLettersDataItem(Model):
    id: int
    detection: str
    """Id of the detection"""
    revision: int
    cause: Literal["opened", "grown", "closed"]
    reason: str
    """Response of the receiver"""
    state: Literal["refused", "waiting", "delivered"]
    """`waiting`: it will be sent again; `delivered`: the receiver accepted it"""
    at: str
    """Time at which it entered this state"""


class GetOutputDeliveriesResponseDeadLetters(Model):
    data: list[GetOutputDeliveriesResponseDeadLettersDataItem]
    next_cursor: str | None


class GetOutputDeliveriesResponse(Model):
    state: Literal["idle", "delivering", "retrying", "paused"]
    """`retrying`: the receiver did not accept a message, and all messages wait in order; `paused`: the output is disabled"""
    lag: GetOutputDeliveriesResponseLag
    delivered: int
    """Number of messages since the output was created"""
    last_delivered_at: str | None
    attempts: int
    """Failed attempts to send the next message"""
    next_attempt_at: str | None
    last_error: GetOutputDeliveriesResponseLastError | None
    dead_letters: GetOutputDeliveriesResponseDeadLetters


class TestOutputResponse(Model):
    ok: bool
    """Whether the receiver accepted the message"""
    answer: str
    """Response of the receiver, or the reason why it did not respond"""
    ms: int


class ResendOutputDeadLettersRequest(TypedDict, total=False):
    ids: Sequence[int]
    """Dead letters to send again; default: all"""


class ResendOutputDeadLettersResponse(Model):
    count: int
    """How many are sent again"""


class ListAgentsResponse(Model):
    data: list[Agent]
    """The requested page"""
    total: int
    """Total number of matches"""
    limit: int
    """As requested"""
    offset: int
    """As requested"""


class Agent(Model):
    id: str
    """`awf_…`"""
    slug: str
    name: str
    description: str
    config: dict[str, Any]
    visibility: Literal["private", "shared"]
    archived: bool
    created_at: str
    """RFC 3339 with milliseconds"""
    updated_at: str
    """RFC 3339 with milliseconds"""
    source_integrity: Literal["healthy", "source_missing", "unregistered"]
    """source_missing: the workspace lacks the script or instructions that the runtime needs"""
    latest_version: int | None
    """Of the workspace"""
    latest_commit: str | None
    """Hash of all paths and contents of the workspace"""
    stats: AgentStats
    files: list[AgentFile] | None = None
    dataset: list[AgentExample] | None = None


class AgentStats(Model):
    example_count: int
    total_executions: int
    last_execution_at: str | None
    """RFC 3339 with milliseconds"""
    avg_duration_ms: float | None
    avg_credits: float | None
    """Average cost of the runs with a known cost"""


class AgentFile(Model):
    path: str
    size: int
    """Bytes"""
    content_type: str
    sha256: str
    version: int
    """Version of the workspace that contains it"""
    created_at: str
    """RFC 3339 with milliseconds"""


class AgentExample(Model):
    id: str
    name: str
    input: Any
    expected: Any
    comparison: Literal["exact", "subset", "schema"]
    """How the output is compared: equal to the expected value, containing it, or valid against the expected JSON Schema"""
    source_execution_id: str | None
    files: list[AgentExampleFilesItem]
    created_at: str
    """RFC 3339 with milliseconds"""
    updated_at: str
    """RFC 3339 with milliseconds"""


class AgentExampleFilesItem(Model):
    kind: Literal["input", "expected"]
    name: str
    size: int


class CreateAgentRequest(TypedDict, total=False):
    name: Required[str]
    """Display name"""
    slug: Required[str]
    """Unique name for URLs"""
    description: str
    config: Mapping[str, Any]
    """How the agent runs"""
    visibility: Literal["private", "shared"]
    """shared: all users who may run agents may run this one"""


class CreateAgentRequestConfig(Model):
    runtime: Literal["script", "model"] | None = None
    """script: JavaScript of the workspace; model: a language model"""
    entry: str | None = None
    """Script of the workspace; default agent.js"""
    model: CreateAgentRequestConfigModel | None = None
    tools: list[Literal["files.list", "files.read", "files.write", "workspace.write", "detections.list", "detections.get", "events.list", "workflows.run", "http.fetch"]] | None = None
    """Tools that it is given; without permissions it may use them without restrictions"""
    permissions: CreateAgentRequestConfigPermissions | None = None
    """Permissions of tools"""
    mcp_servers: dict[str, CreateAgentRequestConfigMcpServersValue] | None = None
    """Servers of the Model Context Protocol. Each of their tools needs a consent before the agent can use it: PUT …/mcp-tools"""
    input_schema: dict[str, Any] | None = None
    """JSON Schema that inputs must match"""
    output_schema: dict[str, Any] | None = None
    """JSON Schema of the output; default the file output.schema.json of the workspace"""
    limits: CreateAgentRequestConfigLimits | None = None


class CreateAgentRequestConfigModel(Model):
    name: str | None = None
    """Name of the model at its endpoint"""
    base_url: str | None = None
    """Endpoint that speaks the OpenAI protocol, such as https://models.example.org/v1"""
    api_key_secret: str | None = None
    """Name of the secret that contains the API key"""
    temperature: float | None = None
    max_output_tokens: int | None = None
    credits_per_million_input: float | None = None
    """Price of a million tokens in"""
    credits_per_million_cached_input: float | None = None
    """Price of a million tokens in that the endpoint read from its cache; default as other tokens in"""
    credits_per_million_output: float | None = None
    """Price of a million tokens out"""


class CreateAgentRequestConfigPermissions(Model):
    default: Literal["allow", "ask", "deny"] | None = None
    """Of calls that no rule names; default deny"""
    rules: list[CreateAgentRequestConfigPermissionsRulesItem] | None = None
    """If several permissions match, deny precedes ask, and ask precedes allow"""
    approval: CreateAgentRequestConfigPermissionsApproval | None = None
    """Who decides about calls that ask"""


class CreateAgentRequestConfigPermissionsRulesItem(Model):
    tool: str
    """Name of a tool, such as http.fetch; * matches any characters"""
    arguments: dict[str, str] | None = None
    """Arguments by name, each with the pattern for its value; default: any arguments"""
    decision: Literal["allow", "ask", "deny"]


class CreateAgentRequestConfigPermissionsApproval(Model):
    approvers: list[Union[CreateAgentRequestConfigPermissionsApprovalApproversItemOption1, CreateAgentRequestConfigPermissionsApprovalApproversItemOption2, CreateAgentRequestConfigPermissionsApprovalApproversItemOption3]] | None = None
    """Who decides; default: the user who started the run, users with the grant approve, and administrators"""
    except_: list[Literal["starter", "lastEditor"]] | None = Field(default=None, alias="except")
    """Who cannot decide in spite of that; lastEditor: the author of the version of the workspace that runs"""
    count: int | None = None
    """How many different users have to approve; default 1"""
    expires_after_seconds: int | None = None
    """Time limit for the decision, after which the call is rejected; default one day"""


class CreateAgentRequestConfigPermissionsApprovalApproversItemOption1(Model):
    user: str
    """Username"""


class CreateAgentRequestConfigPermissionsApprovalApproversItemOption2(Model):
    team: str
    """Name of a team"""


class CreateAgentRequestConfigPermissionsApprovalApproversItemOption3(Model):
    role: Literal["user", "analyst", "admin"]
    """Everyone with this role or a higher one"""


class CreateAgentRequestConfigMcpServersValue(Model):
    url: str
    """Endpoint of the server (Streamable HTTP), such as https://tools.example.org/mcp"""
    headers: dict[str, CreateAgentRequestConfigMcpServersValueHeadersValue] | None = None
    """Headers of every request, each with the value of a secret"""


class CreateAgentRequestConfigMcpServersValueHeadersValue(Model):
    secret: str
    """Name of a secret of the agent's owner"""
    prefix: str | None = None
    """Text before the value, such as "Bearer '"""


class CreateAgentRequestConfigLimits(Model):
    time_ms: float | None = None
    compute_ms: float | None = None
    memory_mb: float | None = None
    steps: float | None = None
    tokens: float | None = None
    credits: float | None = None
    tool_calls: float | None = None


class CreateAgentResponse(Model):
    agent: Agent


class ChangeAgentRequest(TypedDict, total=False):
    name: str
    description: str
    config: Mapping[str, Any]
    """How the agent runs"""
    visibility: Literal["private", "shared"]
    archived: bool
    """An archived agent is not run and not listed"""


class PutAgentFileRequest(TypedDict, total=False):
    content: str
    """Text"""
    content_base64: str
    """Bytes"""
    content_type: str


class PutAgentFileResponse(Model):
    ok: Literal[True]
    path: str


class PutAgentFilesRequest(TypedDict, total=False):
    files: Required[Sequence[Mapping[str, Any]]]
    remove: Sequence[str]
    """Paths to delete"""


class PutAgentFilesResponse(Model):
    ok: Literal[True]
    files: list[str]


class ListAgentVersionsResponse(Model):
    data: list[WorkspaceVersion]
    """The requested page"""
    total: int
    """Total number of matches"""
    limit: int
    """As requested"""
    offset: int
    """As requested"""


class WorkspaceVersion(Model):
    version: int
    """1, 2, 3 … with each change"""
    commit: str
    """SHA-256 of all paths and contents"""
    is_current: bool
    created_at: str
    """RFC 3339 with milliseconds"""


class GetAgentUsageResponseTotal(Model):
    runs: int
    ended: int
    """Number of runs that have ended"""
    unpriced_runs: int
    """Number of runs that used a model and have ended, but have no known cost"""
    input_tokens: float
    cached_input_tokens: float
    """Number of input tokens that the endpoint read from its cache"""
    output_tokens: float
    total_tokens: float
    steps: float
    """Number of model calls"""
    tool_calls: float
    duration_ms: float
    """Total of all runs"""
    credits: float | None
    """Total cost of the runs with a known cost; null: no cost is known"""


class GetAgentUsageResponseVersionsItem(Model):
    version: int
    """Version of the workspace"""
    runs: int
    ended: int
    """Number of runs that have ended"""
    unpriced_runs: int
    """Number of runs that used a model and have ended, but have no known cost"""
    input_tokens: float
    cached_input_tokens: float
    """Number of input tokens that the endpoint read from its cache"""
    output_tokens: float
    total_tokens: float
    steps: float
    """Number of model calls"""
    tool_calls: float
    duration_ms: float
    """Total of all runs"""
    credits: float | None
    """Total cost of the runs with a known cost; null: no cost is known"""


class GetAgentUsageResponseModelsItem(Model):
    model: str | None
    """null: no model"""
    runs: int
    ended: int
    """Number of runs that have ended"""
    unpriced_runs: int
    """Number of runs that used a model and have ended, but have no known cost"""
    input_tokens: float
    cached_input_tokens: float
    """Number of input tokens that the endpoint read from its cache"""
    output_tokens: float
    total_tokens: float
    steps: float
    """Number of model calls"""
    tool_calls: float
    duration_ms: float
    """Total of all runs"""
    credits: float | None
    """Total cost of the runs with a known cost; null: no cost is known"""


class GetAgentUsageResponse(Model):
    from_: str = Field(alias="from")
    """RFC 3339"""
    to: str
    """RFC 3339"""
    scan_limited: bool
    """true if the period has more runs than are included"""
    total: GetAgentUsageResponseTotal
    versions: list[GetAgentUsageResponseVersionsItem]
    models: list[GetAgentUsageResponseModelsItem]


class ListAgentMcpToolsResponseDataItem(Model):
    server: str
    """Name in the configuration"""
    name: str
    description: str
    """Description that the model reads. Untrusted: the server wrote it"""
    input_schema: Any
    """JSON Schema of its arguments"""
    hash: str
    """SHA-256 of address, name, description and schema"""
    consent: Literal["given", "changed", "none"]
    """changed: the tool changed after the consent, so the agent does not use it"""


class ListAgentMcpToolsResponseFailuresItem(Model):
    server: str
    message: str


class ListAgentMcpToolsResponse(Model):
    data: list[ListAgentMcpToolsResponseDataItem]
    failures: list[ListAgentMcpToolsResponseFailuresItem]
    """Servers that failed"""


class ConsentToAgentMcpToolsRequest(TypedDict, total=False):
    tools: Required[Sequence[Mapping[str, Any]]]


class ConsentToAgentMcpToolsResponse(Model):
    ok: Literal[True]


class GetAgentChecksResponse(Model):
    checks: list[Any]


class PutAgentChecksRequest(TypedDict, total=False):
    checks: Required[Sequence[Any]]


class StartAgentExperimentRequest(TypedDict, total=False):
    name: Required[str]
    baseline: Required[Mapping[str, Any]]
    candidate: Required[Mapping[str, Any]]
    examples: Sequence[str]
    """Names; default: all"""


class StartAgentExperimentRequestBaseline(Model):
    version: int | None = None
    """Of the workspace; default the latest"""
    config: dict[str, Any] | None = None
    """Configuration keys that override those of the agent. Requires the right to change the agent"""


class StartAgentExperimentResponse(Model):
    id: str
    """`awp_…`"""
    name: str
    baseline: StartAgentExperimentResponseBaseline
    candidate: StartAgentExperimentResponseBaseline
    checks: list[Any]
    """Checks at the time of the start"""
    examples: int
    created_by: str
    created_at: str
    """RFC 3339 with milliseconds"""


class StartAgentExperimentResponseBaseline(Model):
    version: int
    """Version of the workspace"""
    config: dict[str, Any]
    """Configuration keys that override those of the agent"""


class ListAgentExperimentsResponse(Model):
    data: list[StartAgentExperimentResponse]
    """The requested page"""
    total: int
    """Total number of matches"""
    limit: int
    """As requested"""
    offset: int
    """As requested"""


class GetAgentExperimentResponseRowsItemBaselineEvaluation(Model):
    passed: bool | None
    """null: no check failed, but at least one was not run"""
    comparison: Literal["exact", "subset", "schema"]
    differences: list[EvaluationDifferencesItem]
    """At most 50"""
    checks: list[EvaluationChecksItem] | None = None
    """Results of the checks of the agent"""


class GetAgentExperimentResponseRowsItemBaseline(Model):
    """null: not visible to the caller, or deleted"""
    execution_id: str
    status: str
    evaluation: GetAgentExperimentResponseRowsItemBaselineEvaluation | None
    cost: dict[str, float] | None


class GetAgentExperimentResponseRowsItemCandidateEvaluation(Model):
    passed: bool | None
    """null: no check failed, but at least one was not run"""
    comparison: Literal["exact", "subset", "schema"]
    differences: list[EvaluationDifferencesItem]
    """At most 50"""
    checks: list[EvaluationChecksItem] | None = None
    """Results of the checks of the agent"""


class GetAgentExperimentResponseRowsItemCandidate(Model):
    """null: not visible to the caller, or deleted"""
    execution_id: str
    status: str
    evaluation: GetAgentExperimentResponseRowsItemCandidateEvaluation | None
    cost: dict[str, float] | None


class GetAgentExperimentResponseRowsItem(Model):
    example_name: str
    baseline: GetAgentExperimentResponseRowsItemBaseline | None
    """null: not visible to the caller, or deleted"""
    candidate: GetAgentExperimentResponseRowsItemCandidate | None
    """null: not visible to the caller, or deleted"""


class GetAgentExperimentResponseComparisonMetricsItem(Model):
    metric: Literal["durationMs", "totalTokens", "credits"]
    pairs: int
    """Number of examples with a value for both versions"""
    baseline_mean: float | None
    candidate_mean: float | None
    p_value: float | None
    """Permutation test of the signs of the differences, two-sided"""


class GetAgentExperimentResponseComparison(Model):
    baseline: GetAgentExperimentResponseComparisonBaseline
    candidate: GetAgentExperimentResponseComparisonBaseline
    both: int
    """Number of examples that both versions passed"""
    only_baseline: int
    only_candidate: int
    neither: int
    p_value: float | None
    """McNemar's exact test, two-sided, of the passed examples"""
    verdict: Literal["candidate-better", "baseline-better", "no-difference", "too-few"]
    """Significance at the 5 % level. too-few: fewer than 6 examples have different results, so no difference can be significant"""
    metrics: list[GetAgentExperimentResponseComparisonMetricsItem]


class GetAgentExperimentResponse(Model):
    experiment: StartAgentExperimentResponse
    open: int
    """Number of unfinished runs"""
    rows: list[GetAgentExperimentResponseRowsItem]
    comparison: GetAgentExperimentResponseComparison


class EvaluationDifferencesItem(Model):
    path: str
    """JSON pointer, or name of a file"""
    message: str


class EvaluationChecksItem(Model):
    name: str
    type: str
    passed: bool | None
    """null: the check was not run"""
    message: str
    votes: EvaluationChecksItemVotes | None = None
    """For a judge: its judgements, and the share of the majority among the valid ones"""


class EvaluationChecksItemVotes(Model):
    pass_: int = Field(alias="pass")
    fail: int
    invalid: int
    agreement: float | None


class GetAgentExperimentResponseComparisonBaselineInterval(Model):
    """Wilson score interval, 95 %"""
    low: float
    high: float


class GetAgentExperimentResponseComparisonBaseline(Model):
    passed: int
    judged: int
    """Number of runs with a verdict"""
    rate: float | None
    interval: GetAgentExperimentResponseComparisonBaselineInterval | None
    """Wilson score interval, 95 %"""


class RunAgentRequest(TypedDict, total=False):
    input: Any
    metadata: Mapping[str, Any]
    batch_id: str
    example_id: str
    example_name: str


class RunAgentForm(Model):
    json_: str | None = Field(default=None, alias="_json")
    """The input, as JSON"""


class RunAgentResponse(Model):
    execution_id: str
    status: str | None = None
    """`timeout`: the run continues"""
    output: Any = None
    schema_valid: bool | None = None
    error: str | None = None
    cost: dict[str, float] | None = None


class ListAgentExamplesResponse(Model):
    data: list[AgentExample]


class PutAgentExampleRequest(TypedDict, total=False):
    input: Required[Any]
    expected: Any
    comparison: Literal["exact", "subset", "schema"]
    """Default: subset"""


class PutAgentExampleResponse(Model):
    id: str
    name: str


class PromoteAgentExecutionRequest(TypedDict, total=False):
    name: Required[str]
    """Name of the example"""


class EvaluateAgentRequest(TypedDict, total=False):
    batch_id: str
    """Default: a new one"""
    examples: Sequence[str]
    """Default: all"""


class EvaluateAgentResponseExecutionsItem(Model):
    execution_id: str
    example_name: str


class EvaluateAgentResponse(Model):
    batch_id: str
    executions: list[EvaluateAgentResponseExecutionsItem]


class GetAgentEvaluationResponseExecutionsItemEvaluation(Model):
    passed: bool | None
    """null: no check failed, but at least one was not run"""
    comparison: Literal["exact", "subset", "schema"]
    differences: list[EvaluationDifferencesItem]
    """At most 50"""
    checks: list[EvaluationChecksItem] | None = None
    """Results of the checks of the agent"""


class GetAgentEvaluationResponseExecutionsItem(Model):
    execution_id: str
    example_name: str
    status: str
    evaluation: GetAgentEvaluationResponseExecutionsItemEvaluation | None


class GetAgentEvaluationResponse(Model):
    batch_id: str
    total: int
    open: int
    """Number of unfinished runs"""
    passed: int
    failed: int
    pass_rate: GetAgentExperimentResponseComparisonBaseline
    not_compared: int
    """Number of runs that ended without a verdict, because they have no expected output or were cancelled"""
    executions: list[GetAgentEvaluationResponseExecutionsItem]


class ListAgentExecutionsResponse(Model):
    data: list[AgentExecution]
    executions: list[AgentExecution]
    """Same as `data`; older name"""
    total: int
    """Number of matching entries among those examined"""
    limit: int
    offset: int
    scan_limited: bool
    """true if not all entries were examined, so that the total may be higher"""
    no_resolved_anchor: bool
    """true if the request set sinceLastResolved, but no feedback was ever resolved"""


class AgentExecutionEvaluation(Model):
    """For a run of an example: comparison with the expected output"""
    passed: bool | None
    """null: no check failed, but at least one was not run"""
    comparison: Literal["exact", "subset", "schema"]
    differences: list[EvaluationDifferencesItem]
    """At most 50"""
    checks: list[EvaluationChecksItem] | None = None
    """Results of the checks of the agent"""


class AgentExecutionFeedback(Model):
    rating: Literal["pass", "fail", "partial"] | None
    status: Literal["open", "resolved", "ignored"] | None
    created_at: str | None
    """RFC 3339 with milliseconds"""
    created_by: str | None
    created_by_email: str | None
    updated_at: str | None
    """RFC 3339 with milliseconds"""
    resolved_at: str | None
    """RFC 3339 with milliseconds"""
    resolved_by: str | None
    resolved_by_email: str | None
    resolved_by_session_id: str | None
    promoted_example_name: str | None
    body: str


class AgentExecutionStartedByUser(Model):
    """Username, for a start in the console or by a key; null: the account was deleted"""
    id: str
    username: str


class AgentExecutionStartedBy(Model):
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: AgentExecutionStartedByUser | None
    """Username, for a start in the console or by a key; null: the account was deleted"""
    key_label: str | None
    """Label of the API key, visible to its owner and to administrators"""
    execution_id: str | None
    """Execution whose step started this one"""


class AgentExecution(Model):
    id: str
    """`exec_…`"""
    agent_id: str
    status: str
    created_at: str
    """RFC 3339 with milliseconds"""
    started_at: str | None
    """RFC 3339 with milliseconds"""
    completed_at: str | None
    """RFC 3339 with milliseconds"""
    cancel_requested_at: str | None
    """RFC 3339 with milliseconds"""
    model: str | None
    input: Any = None
    """Input of the run; omitted in lists"""
    output: Any
    schema_valid: bool | None
    error: str | None
    cost: dict[str, float] | None
    """Counts such as inputTokens, outputTokens and toolCalls; `credits` is omitted if the cost is unknown"""
    example_id: str | None
    example_name: str | None
    batch_id: str | None
    source_execution_id: str | None
    promoted_example_name: str | None
    workspace_version: int
    evaluation: AgentExecutionEvaluation | None
    """For a run of an example: comparison with the expected output"""
    feedback: AgentExecutionFeedback | None = None
    expected: Any = None
    expected_files: list[AgentExecutionExpectedFilesItem] | None = None
    started_by: AgentExecutionStartedBy | None = None
    """With include=startedBy: the user, key, trigger or execution that started it; null: unknown"""
    files: list[AgentExecutionFilesItem] | None = None


class AgentExecutionExpectedFilesItem(Model):
    name: str


class AgentExecutionFilesItem(Model):
    kind: Literal["input", "output", "issues", "trace"]
    name: str
    """For an input: the name for its download"""
    filename: str | None = None
    """File name, as the sender gave it"""
    size: int
    content_type: str
    """Media type, detected from the content"""


class GetAgentExecutionResponse(Model):
    execution: AgentExecution


class RerunAgentExecutionResponse(Model):
    execution_id: str
    source_execution_id: str
    status: str


class GetAgentFeedbackResponseFeedback(Model):
    rating: Literal["pass", "fail", "partial"] | None
    status: Literal["open", "resolved", "ignored"] | None
    created_at: str | None
    """RFC 3339 with milliseconds"""
    created_by: str | None
    created_by_email: str | None
    updated_at: str | None
    """RFC 3339 with milliseconds"""
    resolved_at: str | None
    """RFC 3339 with milliseconds"""
    resolved_by: str | None
    resolved_by_email: str | None
    resolved_by_session_id: str | None
    promoted_example_name: str | None
    body: str


class GetAgentFeedbackResponse(Model):
    feedback: GetAgentFeedbackResponseFeedback | None
    expected: Any
    expected_files: list[AgentExecutionExpectedFilesItem]


class GiveAgentFeedbackRequest(TypedDict, total=False):
    body: str
    """Feedback text"""
    rating: Literal["pass", "fail", "partial"] | None
    """null: none"""
    status: Literal["open", "resolved", "ignored"]
    expected: Any
    """Expected output, JSON; null removes it"""
    feedback: str
    """Alias of `body`"""
    feedback_rating: Literal["pass", "fail", "partial"] | None
    """Alias of `rating`"""
    feedback_status: Literal["open", "resolved", "ignored"]
    """Alias of `status`"""


class GetExpectedOutcomeResponse(Model):
    expected: Any
    files: list[AgentExecutionExpectedFilesItem]


class AddExpectedFileRequest(TypedDict, total=False):
    output_file_name: Required[str]
    """Output file of the execution"""
    expected_name: str
    """Name of the expected file; default: the same name"""


class AddExpectedFileForm(Model):
    file: str
    """The file"""
    name: str | None = None
    """Name of the expected file; default: its own name"""


class RenameExpectedFileRequest(TypedDict, total=False):
    name: Required[str]


class AddCaseFileForm(Model):
    file: str
    """The file, at most 64 MiB"""


class ListEventsQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """from this time on, RFC 3339 or now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """before this time, RFC 3339 or now()-7d"""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several"""
    procname: str | Sequence[str] | datetime | None
    """exact program, or several"""
    file: str | Sequence[str] | datetime | None
    """exact mapped file, or several"""
    register_: str | Sequence[str] | datetime | None
    """exact register, or several"""
    executable: str | Sequence[str] | datetime | None
    """exact executable, or several"""
    unit: str | Sequence[str] | datetime | None
    """exact systemd unit, or several"""
    container: str | Sequence[str] | datetime | None
    """exact container id, or several"""
    pod: str | Sequence[str] | datetime | None
    """exact Kubernetes pod UID, or several"""
    type: str | Sequence[str] | datetime | None
    """event type, or several"""
    detection: str | Sequence[str] | datetime | None
    """id of a detection; for events: the evidence of this detection"""
    q: str | Sequence[str] | datetime | None
    """Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, time, received, topic, partition, offset, type, pid, ip, sp, vmastart, vmasize, trap, location, signal, function_name, count, level, facility, executable, build_id, uid, unit, container, pod"""
    limit: int | None
    """records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""
    format: str | Sequence[str] | datetime | None
    """json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept`"""


class GetEventQuery(TypedDict, total=False):
    format: str | Sequence[str] | datetime | None
    """json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept`"""


class SummarizeEventsQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """Start of the range: ISO 8601, or relative such as now()-7d (s, m, h, d, w). Default: 24 hours before `to`."""
    to: str | Sequence[str] | datetime | None
    """End of the range (exclusive). Default: now."""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several"""
    procname: str | Sequence[str] | datetime | None
    """exact program, or several"""
    file: str | Sequence[str] | datetime | None
    """exact mapped file, or several"""
    register_: str | Sequence[str] | datetime | None
    """exact register, or several"""
    executable: str | Sequence[str] | datetime | None
    """exact executable, or several"""
    unit: str | Sequence[str] | datetime | None
    """exact systemd unit, or several"""
    container: str | Sequence[str] | datetime | None
    """exact container id, or several"""
    pod: str | Sequence[str] | datetime | None
    """exact Kubernetes pod UID, or several"""
    type: str | Sequence[str] | datetime | None
    """event type, or several"""
    detection: str | Sequence[str] | datetime | None
    """id of a detection; for events: the evidence of this detection"""
    q: str | Sequence[str] | datetime | None
    """Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, time, received, topic, partition, offset, type, pid, ip, sp, vmastart, vmasize, trap, location, signal, function_name, count, level, facility, executable, build_id, uid, unit, container, pod"""


class ListDetectionsQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """from this time on, RFC 3339 or now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """before this time, RFC 3339 or now()-7d"""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several; includes campaigns that reached the host"""
    procname: str | Sequence[str] | datetime | None
    """exact program, or several"""
    file: str | Sequence[str] | datetime | None
    """exact mapped file, or several"""
    register_: str | Sequence[str] | datetime | None
    """exact register, or several"""
    executable: str | Sequence[str] | datetime | None
    """exact executable, or several"""
    unit: str | Sequence[str] | datetime | None
    """exact systemd unit, or several"""
    container: str | Sequence[str] | datetime | None
    """exact container id, or several"""
    pod: str | Sequence[str] | datetime | None
    """exact Kubernetes pod UID, or several"""
    parent: str | Sequence[str] | datetime | None
    """exact executable of the parent process, or several; its name if the executable is unknown"""
    rule: str | Sequence[str] | datetime | None
    """rule id, or several"""
    campaign: str | Sequence[str] | datetime | None
    """id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign"""
    severity: str | Sequence[str] | datetime | None
    """severity, or several"""
    status: str | Sequence[str] | datetime | None
    """state, or several"""
    verdict: str | Sequence[str] | datetime | None
    """verdict, or several; null: no verdict"""
    assignee: str | Sequence[str] | datetime | None
    """assigned analyst, or several; null: not assigned"""
    detection: str | Sequence[str] | datetime | None
    """id of a detection; for events: the evidence of this detection"""
    q: str | Sequence[str] | datetime | None
    """Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last"""
    sort: Literal["lastSeen", "severity", "crashes", "host", "risk"] | None
    """by latest evidence (default), severity, logged crashes, host name, or host risk; equal values are sorted by latest evidence, latest first. By risk, paging may repeat or omit detections that change at the same time"""
    order: Literal["asc", "desc"] | None
    """sort direction; default asc by host, otherwise desc. A cursor is valid only for the order of its list"""
    limit: int | None
    """records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""
    format: str | Sequence[str] | datetime | None
    """json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept`"""


class GetDetectionQuery(TypedDict, total=False):
    format: str | Sequence[str] | datetime | None
    """json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept`"""


class SummarizeDetectionsQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """Start of the range: ISO 8601, or relative such as now()-7d (s, m, h, d, w). Default: 24 hours before `to`."""
    to: str | Sequence[str] | datetime | None
    """End of the range (exclusive). Default: now."""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several; includes campaigns that reached the host"""
    procname: str | Sequence[str] | datetime | None
    """exact program, or several"""
    file: str | Sequence[str] | datetime | None
    """exact mapped file, or several"""
    register_: str | Sequence[str] | datetime | None
    """exact register, or several"""
    executable: str | Sequence[str] | datetime | None
    """exact executable, or several"""
    unit: str | Sequence[str] | datetime | None
    """exact systemd unit, or several"""
    container: str | Sequence[str] | datetime | None
    """exact container id, or several"""
    pod: str | Sequence[str] | datetime | None
    """exact Kubernetes pod UID, or several"""
    parent: str | Sequence[str] | datetime | None
    """exact executable of the parent process, or several; its name if the executable is unknown"""
    rule: str | Sequence[str] | datetime | None
    """rule id, or several"""
    campaign: str | Sequence[str] | datetime | None
    """id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign"""
    severity: str | Sequence[str] | datetime | None
    """severity, or several"""
    status: str | Sequence[str] | datetime | None
    """state, or several"""
    verdict: str | Sequence[str] | datetime | None
    """verdict, or several; null: no verdict"""
    assignee: str | Sequence[str] | datetime | None
    """assigned analyst, or several; null: not assigned"""
    detection: str | Sequence[str] | datetime | None
    """id of a detection; for events: the evidence of this detection"""
    q: str | Sequence[str] | datetime | None
    """Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last"""


class GroupDetectionsQuery(TypedDict, total=False):
    by: Literal["procname", "hostname", "rule", "campaign"] | None
    """field by which detections are grouped"""
    from_: str | Sequence[str] | datetime | None
    """from this time on, RFC 3339 or now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """before this time, RFC 3339 or now()-7d"""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several; includes campaigns that reached the host"""
    procname: str | Sequence[str] | datetime | None
    """exact program, or several"""
    file: str | Sequence[str] | datetime | None
    """exact mapped file, or several"""
    register_: str | Sequence[str] | datetime | None
    """exact register, or several"""
    executable: str | Sequence[str] | datetime | None
    """exact executable, or several"""
    unit: str | Sequence[str] | datetime | None
    """exact systemd unit, or several"""
    container: str | Sequence[str] | datetime | None
    """exact container id, or several"""
    pod: str | Sequence[str] | datetime | None
    """exact Kubernetes pod UID, or several"""
    parent: str | Sequence[str] | datetime | None
    """exact executable of the parent process, or several; its name if the executable is unknown"""
    rule: str | Sequence[str] | datetime | None
    """rule id, or several"""
    campaign: str | Sequence[str] | datetime | None
    """id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign"""
    severity: str | Sequence[str] | datetime | None
    """severity, or several"""
    status: str | Sequence[str] | datetime | None
    """state, or several"""
    verdict: str | Sequence[str] | datetime | None
    """verdict, or several; null: no verdict"""
    assignee: str | Sequence[str] | datetime | None
    """assigned analyst, or several; null: not assigned"""
    detection: str | Sequence[str] | datetime | None
    """id of a detection; for events: the evidence of this detection"""
    q: str | Sequence[str] | datetime | None
    """Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last"""
    limit: int | None
    """maximum number of groups, up to 500; default 100"""


class CountDetectionsQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """from this time on, RFC 3339 or now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """before this time, RFC 3339 or now()-7d"""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several; includes campaigns that reached the host"""
    procname: str | Sequence[str] | datetime | None
    """exact program, or several"""
    file: str | Sequence[str] | datetime | None
    """exact mapped file, or several"""
    register_: str | Sequence[str] | datetime | None
    """exact register, or several"""
    executable: str | Sequence[str] | datetime | None
    """exact executable, or several"""
    unit: str | Sequence[str] | datetime | None
    """exact systemd unit, or several"""
    container: str | Sequence[str] | datetime | None
    """exact container id, or several"""
    pod: str | Sequence[str] | datetime | None
    """exact Kubernetes pod UID, or several"""
    parent: str | Sequence[str] | datetime | None
    """exact executable of the parent process, or several; its name if the executable is unknown"""
    rule: str | Sequence[str] | datetime | None
    """rule id, or several"""
    campaign: str | Sequence[str] | datetime | None
    """id of the detection of a campaign, or several; includes the detections of its file on its hosts during the campaign. null: in no campaign"""
    severity: str | Sequence[str] | datetime | None
    """severity, or several"""
    status: str | Sequence[str] | datetime | None
    """state, or several"""
    verdict: str | Sequence[str] | datetime | None
    """verdict, or several; null: no verdict"""
    assignee: str | Sequence[str] | datetime | None
    """assigned analyst, or several; null: not assigned"""
    detection: str | Sequence[str] | datetime | None
    """id of a detection; for events: the evidence of this detection"""
    q: str | Sequence[str] | datetime | None
    """Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: hostname, host, procname, program, file, register, id, rule, severity, status, verdict, assignee, note, message, exception, executable, build_id, uid, parent, unit, container, pod, revision, crashes, suppressed, evidence, values, duration, value, technique, tactic, first, last"""


class StreamDetectionsQuery(TypedDict, total=False):
    rule: str | Sequence[str] | datetime | None
    """rule id, or several"""
    severity: str | Sequence[str] | datetime | None
    """severity, or several"""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several; includes campaigns that reached the host"""
    procname: str | Sequence[str] | datetime | None
    """exact program, or several"""
    executable: str | Sequence[str] | datetime | None
    """exact executable, or several"""
    parent: str | Sequence[str] | datetime | None
    """exact executable of the parent process, or several; its name if the executable is unknown"""
    unit: str | Sequence[str] | datetime | None
    """exact systemd unit, or several"""
    container: str | Sequence[str] | datetime | None
    """exact container id, or several"""
    pod: str | Sequence[str] | datetime | None
    """exact Kubernetes pod UID, or several"""
    last_event_id: str | Sequence[str] | datetime | None
    """Alternative to the header, for clients that cannot set it"""


class ListHostsQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """from this time on, RFC 3339 or now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """before this time, RFC 3339 or now()-7d"""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several"""
    q: str | Sequence[str] | datetime | None
    """text contained in the host name, ignoring case"""
    figures: str | Sequence[str] | datetime | None
    """conditions on figures, joined by commas; all must hold. Each is one of events, crashes, programs, detections, openDetections, risk, then >=, <=, !=, =, then a number; the risk on the scale of 0 to 100. At most 12"""
    sort: Literal["lastSeen", "risk"] | None
    """by latest event (default) or by risk, highest first; by risk, paging may repeat or omit hosts that change at the same time"""
    limit: int | None
    """records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class ListProcessesQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """from this time on, RFC 3339 or now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """before this time, RFC 3339 or now()-7d"""
    hostname: str | Sequence[str] | datetime | None
    """exact host, or several"""
    procname: str | Sequence[str] | datetime | None
    """exact program, or several"""
    figures: str | Sequence[str] | datetime | None
    """conditions on figures, joined by commas; all must hold. Each is one of events, crashes, detections, openDetections, risk, then >=, <=, !=, =, then a number; the risk on the scale of 0 to 100. At most 12"""
    sort: Literal["lastSeen", "risk"] | None
    """by latest event (default) or by risk, highest first; by risk, paging may repeat or omit hosts that change at the same time"""
    limit: int | None
    """records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class ListDeadLettersQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """from this time on, RFC 3339 or now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """before this time, RFC 3339 or now()-7d"""
    q: str | Sequence[str] | datetime | None
    """Search: text anywhere in it, "quoted text", FIELD:VALUE, FIELD>=VALUE, FIELD:FROM..TO, wildcards * and ?, and, or, not, parentheses. Fields: code, path, message, topic, partition, offset, received"""
    code: str | Sequence[str] | datetime | None
    """rejection reason, or several"""
    topic: str | Sequence[str] | datetime | None
    """topic, or several"""
    status: str | Sequence[str] | datetime | None
    """whether a redrive was successful"""
    limit: int | None
    """records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""
    format: str | Sequence[str] | datetime | None
    """json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept`"""


class GetDeadLetterQuery(TypedDict, total=False):
    format: str | Sequence[str] | datetime | None
    """json (in pages), ndjson, csv, v1, ecs, cef or ocsf; lists of events and detections also parquet (complete). Takes precedence over `Accept`"""


class ListDetectionHistoryQuery(TypedDict, total=False):
    limit: int | None
    """Maximum number of results, 1 to 1,000; default 100"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class ListProposalsQuery(TypedDict, total=False):
    state: str | Sequence[str] | datetime | None
    """State, or several"""


class ListExceptionsQuery(TypedDict, total=False):
    ended: bool | None
    """Includes ended exceptions"""
    limit: int | None
    """records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class ListExceptionRequestsQuery(TypedDict, total=False):
    state: str | Sequence[str] | datetime | None
    """state, or several"""
    limit: int | None
    """records per page, at most 1,000; default 100. Without limit and cursor, every format except json streams all records, if the list supports it"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class GetUserRuleQuery(TypedDict, total=False):
    version: int | None
    """`source` is the text of this version"""


class ListTeamsQuery(TypedDict, total=False):
    mine: bool | None
    """Only teams that the caller is a member of"""
    limit: int | None
    """Maximum number of results, 1 to 100; default 50"""
    offset: int | None
    """Number of results to skip; default 0"""


class ListExecutionsQuery(TypedDict, total=False):
    kind: str | Sequence[str] | datetime | None
    """Only executions of these kinds; default: all kinds that the caller may read"""
    status: str | Sequence[str] | datetime | None
    """Statuses, joined by commas"""
    workflow: str | Sequence[str] | datetime | None
    """Only executions of this workflow: id or slug"""
    agent: str | Sequence[str] | datetime | None
    """Only executions of this agent: id or slug"""
    from_: str | Sequence[str] | datetime | None
    """Created then or later: ISO 8601, or relative as now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """Created before then"""
    from_date: str | Sequence[str] | datetime | None
    """The older name of `from`"""
    to_date: str | Sequence[str] | datetime | None
    """Like `to`, but inclusive; a date without a time means the whole day"""
    include: str | Sequence[str] | datetime | None
    """Parts to add, joined by commas: startedBy"""
    limit: int | None
    """Maximum number of results, 1 to 100; default 50"""
    offset: int | None
    """Number of results to skip; default 0"""


class GetExecutionQuery(TypedDict, total=False):
    include: str | Sequence[str] | datetime | None
    """Parts to add, joined by commas: startedBy"""


class StreamExecutionEventsQuery(TypedDict, total=False):
    after: str | Sequence[str] | datetime | None
    """Id of the last received event, for clients that cannot send Last-Event-ID"""


class ListWaitsQuery(TypedDict, total=False):
    limit: int | None
    """Maximum number of results, 1 to 1,000; default 100"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""
    execution: str | Sequence[str] | datetime | None
    """Only waits of this execution"""


class SignalExecutionQuery(TypedDict, total=False):
    wait_for_reply: int | None
    """Seconds to wait for the reply, at most 60; by default 0"""


class GetSignalReplyQuery(TypedDict, total=False):
    wait_for_reply: int | None
    """Seconds to wait for the reply, at most 60; by default 0"""


class ListWorkflowsQuery(TypedDict, total=False):
    search: str | Sequence[str] | datetime | None
    """Part of the name, case-insensitive"""
    name: str | Sequence[str] | datetime | None
    """Exactly this name"""
    kind: str | Sequence[str] | datetime | None
    """Only of this kind, or one of these"""
    include_archived: bool | None
    """Deleted ones too"""
    titles: bool | None
    """Include the titles of the current versions, which `search` then covers too"""
    limit: int | None
    """Maximum number of results, 1 to 100; default 50"""
    offset: int | None
    """Number of results to skip; default 0"""


class ListWorkflowTasksQuery(TypedDict, total=False):
    version: str | Sequence[str] | datetime | None
    """Id, tag or latest"""


class GetWorkflowGraphQuery(TypedDict, total=False):
    version: str | Sequence[str] | datetime | None
    """Id, tag or latest"""


class ListWorkflowVersionsQuery(TypedDict, total=False):
    limit: int | None
    """Maximum number of results, 1 to 100; default 50"""
    offset: int | None
    """Number of results to skip; default 0"""


class CompareWorkflowVersionsQuery(TypedDict, total=False):
    with_: str | Sequence[str] | datetime | None
    """Id, tag or latest of the other"""


class ListWorkflowExecutionsQuery(TypedDict, total=False):
    status: str | Sequence[str] | datetime | None
    """Statuses, joined by commas"""
    from_: str | Sequence[str] | datetime | None
    """Created then or later: ISO 8601, or relative as now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """Created before then"""
    from_date: str | Sequence[str] | datetime | None
    """The older name of `from`"""
    to_date: str | Sequence[str] | datetime | None
    """Like `to`, but inclusive; a date without a time means the whole day"""
    example_id: str | Sequence[str] | datetime | None
    """Of this example"""
    include: str | Sequence[str] | datetime | None
    """Parts to add, joined by commas: startedBy"""
    limit: int | None
    """Maximum number of results, 1 to 100; default 50"""
    offset: int | None
    """Number of results to skip; default 0"""


class GetWorkflowExecutionQuery(TypedDict, total=False):
    include_steps: bool | None
    """Whether to include every step"""
    include: str | Sequence[str] | datetime | None
    """Parts to add, joined by commas: startedBy"""


class RunWorkflowQuery(TypedDict, total=False):
    version: str | Sequence[str] | datetime | None
    """Id or tag of a version, or latest"""


class ListCasesQuery(TypedDict, total=False):
    status: str | Sequence[str] | datetime | None
    """State, or several"""
    severity: str | Sequence[str] | datetime | None
    """Severity, or several"""
    assignee: str | Sequence[str] | datetime | None
    """Assigned analyst, or several"""
    detection: str | Sequence[str] | datetime | None
    """Cases that contain this detection"""
    q: str | Sequence[str] | datetime | None
    """Part of the title, or the case number"""
    from_: str | Sequence[str] | datetime | None
    """Opened at this time or later: ISO 8601, or relative such as now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """Opened before this time"""
    figures: str | Sequence[str] | datetime | None
    """conditions on figures, joined by commas; all must hold. Each is one of detections, tasks, openTasks, doneTasks, then >=, <=, !=, =, then a number. At most 12"""
    limit: int | None
    """Maximum number of results, 1 to 1,000; default 100"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class GetCaseMetricsQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """Cases opened at this time or later: ISO 8601, or relative such as now()-7d (s, m, h, d, w); default: 30 days ago"""
    to: str | Sequence[str] | datetime | None
    """Cases opened before this time; default: now"""


class SearchPeopleQuery(TypedDict, total=False):
    q: str | Sequence[str] | datetime | None
    """Part of the name or the address; empty: all"""
    limit: int | None
    """Maximum number of results; default 20, at most 100"""


class ListDetectionCommentsQuery(TypedDict, total=False):
    limit: int | None
    """Maximum number of results, 1 to 1,000; default 100"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class ListCaseCommentsQuery(TypedDict, total=False):
    limit: int | None
    """Maximum number of results, 1 to 1,000; default 100"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class GetOutputDeliveriesQuery(TypedDict, total=False):
    limit: int | None
    """Maximum number of results, 1 to 1,000; default 100"""
    cursor: str | Sequence[str] | datetime | None
    """`nextCursor` of the previous page"""


class ListAgentsQuery(TypedDict, total=False):
    search: str | Sequence[str] | datetime | None
    """Substring of id, slug, name or description, case-insensitive"""
    include_archived: bool | None
    """Archived ones too"""
    limit: int | None
    """Maximum number of items, 1 to 500; default 50"""
    offset: int | None
    """Number of items to skip; default 0"""


class GetAgentQuery(TypedDict, total=False):
    include: str | Sequence[str] | datetime | None
    """Parts to add, joined by commas: files, dataset"""


class GetAgentFilesQuery(TypedDict, total=False):
    path: str | Sequence[str] | datetime | None
    """Safe relative path"""
    prefix: str | Sequence[str] | datetime | None
    """Only paths with this prefix"""
    version: int | None
    """Version of the workspace (default: current)"""


class PutAgentFileQuery(TypedDict, total=False):
    path: str | Sequence[str] | datetime | None
    """Safe relative path"""
    prefix: str | Sequence[str] | datetime | None
    """Only paths with this prefix"""


class ListAgentVersionsQuery(TypedDict, total=False):
    limit: int | None
    """Maximum number of items, 1 to 100; default 50"""
    offset: int | None
    """Number of items to skip; default 0"""


class GetAgentUsageQuery(TypedDict, total=False):
    from_: str | Sequence[str] | datetime | None
    """Created not before this; ISO 8601 or now()-7d; default now()-30d"""
    to: str | Sequence[str] | datetime | None
    """Created not after this; ISO 8601 or now(); default now()"""


class ListAgentExperimentsQuery(TypedDict, total=False):
    limit: int | None
    """Maximum number of items, 1 to 100; default 50"""
    offset: int | None
    """Number of items to skip; default 0"""


class RunAgentQuery(TypedDict, total=False):
    pass


class ListAgentExecutionsQuery(TypedDict, total=False):
    status: str | Sequence[str] | datetime | None
    """Only in this state; several joined by commas"""
    batch_id: str | Sequence[str] | datetime | None
    """Only of this batch"""
    example_name: str | Sequence[str] | datetime | None
    """Exactly this example"""
    example_name_contains: str | Sequence[str] | datetime | None
    """Part of the name of the example; case does not matter"""
    from_: str | Sequence[str] | datetime | None
    """Created then or later: ISO 8601, or relative as now()-7d (s, m, h, d, w)"""
    to: str | Sequence[str] | datetime | None
    """Created before then"""
    created_after: str | Sequence[str] | datetime | None
    """Created not before this; ISO 8601 or now()-7d"""
    created_before: str | Sequence[str] | datetime | None
    """Created not after this; ISO 8601 or now()-7d"""
    completed_after: str | Sequence[str] | datetime | None
    """Completed not before this; ISO 8601 or now()-7d"""
    completed_before: str | Sequence[str] | datetime | None
    """Completed not after this; ISO 8601 or now()-7d"""
    feedback_status: str | Sequence[str] | datetime | None
    """State of the feedback, or one of these"""
    feedback_rating: str | Sequence[str] | datetime | None
    """Rating, or one of these; none: without one"""
    has_feedback: bool | None
    """With feedback, or without"""
    no_feedback: bool | None
    """The opposite of hasFeedback"""
    has_expected: bool | None
    """Something is expected: JSON or files"""
    has_expected_json: bool | None
    """JSON is expected"""
    has_expected_files: bool | None
    """Files are expected"""
    feedback_body_contains: str | Sequence[str] | datetime | None
    """Part of the feedback; case does not matter"""
    feedback_created_after: str | Sequence[str] | datetime | None
    """Feedback began not before this; ISO 8601 or now()-7d"""
    feedback_created_before: str | Sequence[str] | datetime | None
    """Feedback began not after this; ISO 8601 or now()-7d"""
    feedback_updated_after: str | Sequence[str] | datetime | None
    """Feedback changed not before this; ISO 8601 or now()-7d"""
    feedback_updated_before: str | Sequence[str] | datetime | None
    """Feedback changed not after this; ISO 8601 or now()-7d"""
    feedback_resolved_after: str | Sequence[str] | datetime | None
    """Feedback resolved not before this; ISO 8601 or now()-7d"""
    feedback_resolved_before: str | Sequence[str] | datetime | None
    """Feedback resolved not after this; ISO 8601 or now()-7d"""
    promoted_to_example: bool | None
    """Became an example"""
    promoted_example_name: str | Sequence[str] | datetime | None
    """Became this example"""
    since_last_resolved: bool | None
    """Created after feedback of the agent was resolved last"""
    include: str | Sequence[str] | datetime | None
    """Parts to add, joined by commas: feedback, expected, files, startedBy"""
    sort: Literal["createdAt", "completedAt", "status", "exampleName"] | None
    """Sort key"""
    order: Literal["asc", "desc"] | None
    """Sort order"""
    scan_limit: int | None
    """Maximum number of executions to examine with filters: 1 to 100,000, of which at most 10,000 are examined; default 5,000"""
    limit: int | None
    """Maximum number of items, 1 to 500; default 50"""
    offset: int | None
    """Number of items to skip; default 0"""


class GetAgentExecutionQuery(TypedDict, total=False):
    include: str | Sequence[str] | datetime | None
    """Parts to add, joined by commas: feedback, expected, files, startedBy"""
