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
    """When this service took it in, RFC 3339"""
    time: str
    """When it occurred, RFC 3339 in UTC"""
    hex: EventRecordHex
    """Addresses as text: browsers round JSON integers above 2^53"""
    event: EventRecordEvent
    """The V1 event as it came, every digit and unknown field in it"""


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
    """Beginning of the bucket"""
    by_type: dict[str, int]
    """Events by type; those without any are left out"""


class SummarizeEventsResponseTypesItem(Model):
    type: str
    events: int
    """How many events"""


class SummarizeEventsResponseHostsItem(Model):
    hostname: str | None
    events: int
    """How many events"""


class SummarizeEventsResponseProgramsItem(Model):
    procname: str | None
    events: int
    """How many events"""


class SummarizeEventsResponseFilesItem(Model):
    file: str | None
    events: int
    """How many events"""


class SummarizeEventsResponse(Model):
    from_: str = Field(alias="from")
    """start of the first bucket"""
    to: str
    """end of the last bucket"""
    step_seconds: int
    """length of a bucket in seconds"""
    events: int
    """All that the filters choose"""
    crashes: int | None
    """Crashes among them, each once, as detections count them; null without the filter `detection`"""
    series: list[SummarizeEventsResponseSeriesItem]
    """One for every bucket"""
    types: list[SummarizeEventsResponseTypesItem]
    """Most frequent first"""
    hosts: list[SummarizeEventsResponseHostsItem]
    """The 50 with the most"""
    programs: list[SummarizeEventsResponseProgramsItem]
    """The 50 with the most"""
    files: list[SummarizeEventsResponseFilesItem]
    """The 50 with the most"""


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
    """The newest of the events it rests on, at most 1,000"""
    evidence_complete: bool
    """False when there are more"""


class DecisionChange(TypedDict, total=False):
    status: Literal["new", "acknowledged", "closed"]
    """How far the work on it is"""
    verdict: Literal["true_positive", "false_positive", "benign"] | None
    """What it was; null: not decided"""
    assignee: str | None
    """The analyst who works on it: the name of an account with the role analyst or admin; null: not assigned"""
    note: str | None
    """What is worth knowing; null: nothing"""


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
    """null: the sign is about the host"""
    points: float
    """At the latest evidence of the alert"""
    detections: list[ListSignsResponseDataItemDetectionsItem]
    """Of several the one with the most points counts"""


class ListSignsResponse(Model):
    data: list[ListSignsResponseDataItem]


class SummarizeDetectionsResponseSeriesItem(Model):
    at: str
    """Beginning of the bucket"""
    by_severity: dict[str, int]
    """Detections by severity; those without any are left out"""


class SummarizeDetectionsResponseRulesItem(Model):
    rule: str
    detections: int
    """How many detections"""
    open: int
    """Those neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseSeveritiesItem(Model):
    severity: str
    detections: int
    """How many detections"""
    open: int
    """Those neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseStatusesItem(Model):
    status: str
    detections: int
    """How many detections"""
    open: int
    """Those neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseVerdictsItem(Model):
    verdict: str | None
    detections: int
    """How many detections"""
    open: int
    """Those neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseHostsItem(Model):
    hostname: str | None
    detections: int
    """How many detections"""
    open: int
    """Those neither closed nor silenced by an exception"""


class SummarizeDetectionsResponseProgramsItem(Model):
    procname: str | None
    detections: int
    """How many detections"""
    open: int
    """Those neither closed nor silenced by an exception"""


class SummarizeDetectionsResponse(Model):
    from_: str = Field(alias="from")
    """start of the first bucket"""
    to: str
    """end of the last bucket"""
    step_seconds: int
    """length of a bucket in seconds"""
    detections: int
    """All that the filters choose"""
    open: int
    """Neither closed nor silenced by an exception"""
    silenced: int
    """Silenced by an exception"""
    series: list[SummarizeDetectionsResponseSeriesItem]
    """One for every bucket, by latest evidence"""
    rules: list[SummarizeDetectionsResponseRulesItem]
    """Most frequent first"""
    severities: list[SummarizeDetectionsResponseSeveritiesItem]
    """Most frequent first"""
    statuses: list[SummarizeDetectionsResponseStatusesItem]
    """Most frequent first"""
    verdicts: list[SummarizeDetectionsResponseVerdictsItem]
    """Most frequent first"""
    hosts: list[SummarizeDetectionsResponseHostsItem]
    """The 50 with the most"""
    programs: list[SummarizeDetectionsResponseProgramsItem]
    """The 50 with the most"""


class GroupDetectionsResponseDataItem(Model):
    value: str | None
    """What the detections of the group have; null: nothing"""
    name: str | None
    """Name of the rule, or program of the campaign; null: unknown"""
    detections: int
    """All of the group"""
    open: int
    """Those neither closed nor silenced by an exception"""
    worst_severity: Literal["info", "low", "medium", "high", "critical"]
    """The highest of the group"""
    crashes: int
    """Logged crashes of all"""
    hosts: int
    """Distinct hosts"""
    first_seen: str
    """The earliest evidence, RFC 3339"""
    last_seen: str
    """The latest evidence, RFC 3339"""


class GroupDetectionsResponse(Model):
    by: Literal["procname", "hostname", "rule", "campaign"]
    """As asked for"""
    data: list[GroupDetectionsResponseDataItem]
    """The worst first: by severity, then by open and by all detections"""
    groups: int
    """All groups, also those beyond the limit"""
    detections: int
    """All detections that the filters choose"""


class CountDetectionsResponse(Model):
    detections: int
    """All that the filters choose"""
    as_of: str
    """When they were counted, for a bulk change of the same detections"""


class ListHostsResponseDataItem(Model):
    hostname: str | None
    """null: events that name none"""
    first_seen: str
    """Time of the first event, RFC 3339"""
    last_seen: str
    """Time of the latest event, RFC 3339"""
    events: int
    """Events"""
    crashes: int
    """Crashes: a trap line and the dump of the same process within 2 s count once; signals sent by another process are no crashes"""
    detections: int
    """Detections of all times"""
    open_detections: int
    """Those neither closed nor silenced by an exception"""
    risk: ListHostsResponseDataItemRisk
    """At `to`, or now. Detections that are silenced, false positives or benign do not count"""
    programs: int
    """Programs that crashed there; above 60,000 about that many"""


class ListHostsResponse(Model):
    data: list[ListHostsResponseDataItem]
    limit: int
    """As asked for"""
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
    """null: events that name none"""
    first_seen: str
    """Time of the first event, RFC 3339"""
    last_seen: str
    """Time of the latest event, RFC 3339"""
    events: int
    """Events"""
    crashes: int
    """Crashes: a trap line and the dump of the same process within 2 s count once; signals sent by another process are no crashes"""
    detections: int
    """Detections of all times"""
    open_detections: int
    """Those neither closed nor silenced by an exception"""
    risk: ListHostsResponseDataItemRisk
    """At `to`, or now. Detections that are silenced, false positives or benign do not count"""
    procname: str


class ListProcessesResponse(Model):
    data: list[ListProcessesResponseDataItem]
    limit: int
    """As asked for"""
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
    """When it came, RFC 3339"""
    code: str
    """Why it was refused"""
    path: str
    """JSON path of the value that is wrong"""
    message: str
    redriven: str | None
    """When a redrive put it through; null while none has"""
    raw: str
    """All bytes as they came"""
    raw_encoding: Literal["utf8", "base64"]
    """`base64` for bytes that are no text"""


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
    """null for a rule of a user"""
    base_rate: str
    """What ordinary programs do: the model that false alarms are computed from"""
    false_alarms_per_month: float
    """Expected on an ordinary host: up to 15 faults a program, at most one crash loop a month"""
    false_alarm_for_each: str | None
    """What raises one more each time it happens; null: nothing known"""
    evasions: list[RuleStatisticsEvasionsItem]
    """Known evasions, the cheapest first"""


class Rule(Model):
    id: str
    """Id of a rule; GET /api/rules lists them"""
    version: int
    name: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    attack: list[AttackTechnique]
    summary: str
    """What it fires on, in a sentence"""
    runbook: RuleRunbook
    """For an analyst who reads a detection of it"""
    statistics: RuleStatistics | None
    """null for a rule of a user"""
    enabled: bool
    thresholds: list[RuleThresholdsItem]
    etag: str
    """Of what is set of it; for If-Match"""
    origin: Literal["built-in", "user"]
    """user: written by a user; it has no thresholds"""
    author: str | None
    """Of a pushed rule: actor of its last change"""


class RuleRunbook(Model):
    next_checks: list[str]
    """What to do, in this order"""
    false_positives: list[str]
    """What looks the same and is no attack"""


class RuleStatisticsEvasionsItem(Model):
    evasion: str
    price: str
    """What an attacker pays for it"""
    days: float | None
    """Days that the attack then takes; null: the price is not time"""


class RuleThresholdsItem(Model):
    name: str
    default: Any
    value: Any
    description: str


class ChangeRuleRequest(TypedDict, total=False):
    enabled: bool | None
    """null: as the rules file says, else on"""
    thresholds: Mapping[str, Any]
    """By name; null: as the rules file says, else the default"""


class ChangeDetectionsRequest(TypedDict, total=False):
    detections: Sequence[Mapping[str, Any]]
    """Which, at most 1,000"""
    filter: Mapping[str, Any]
    """Instead of `detections`: all detections that match these filters of the list, one page per request"""
    as_of: str | datetime
    """With a filter: excludes later detections; value from GET /api/detections/count"""
    limit: int
    """With a filter: number of detections in this request"""
    cursor: str
    """With a filter: `nextCursor` of the previous response"""
    change: Required[Mapping[str, Any]]
    """The same for all of them"""


class ChangeDetectionsRequestDetectionsItemSeen(Model):
    status: Literal["new", "acknowledged", "closed"] | None = None
    """How far the work on it is"""
    verdict: Literal["true_positive", "false_positive", "benign"] | None = None
    """What it was; null: not decided"""
    assignee: str | None = None
    """The analyst who works on it: the name of an account with the role analyst or admin; null: not assigned"""
    note: str | None = None
    """What is worth knowing; null: nothing"""


class ChangeDetectionsResponse(Model):
    next_cursor: str | None
    """Next page of those that the filter chooses; null on the last page, and when detections are named"""
    results: list[ChangeDetectionsResponseResultsItem]
    """In the order of the request, or of the list"""


class ChangeDetectionsResponseResultsItem(Model):
    id: str
    outcome: Literal["updated", "unchanged", "changed_meanwhile", "not_found"]
    """changed_meanwhile: it was not as its ETag or `seen` says any more, and nothing was done"""
    etag: str | None
    """As it is now; null for one that is not there"""


class UndoDetectionChangesRequest(TypedDict, total=False):
    detections: Required[Sequence[Mapping[str, Any]]]
    """Which, at most 1,000"""


class UndoDetectionChangesResponse(Model):
    results: list[ChangeDetectionsResponseResultsItem]
    """In the order of the request, or of the list"""


class ListDetectionHistoryResponseDataItem(Model):
    version: int
    """1 for the first change"""
    at: str
    """When"""
    actor: str
    """user:<id>, key:<keyId> or operator"""
    username: str | None
    """Of the account behind it, as it was then"""
    automation: str | None
    """Slug of the workflow or agent that made the change for that account; null: a person or a client"""
    execution_id: str | None
    """Execution of that workflow or agent"""
    before: ChangeDetectionsRequestDetectionsItemSeen
    """Fields that changed, as they were"""
    after: ChangeDetectionsRequestDetectionsItemSeen
    """The same fields as they became"""


class ListDetectionHistoryResponse(Model):
    data: list[ListDetectionHistoryResponseDataItem]
    limit: int
    """As asked for"""
    next_cursor: str | None
    """null on the last page"""


class ListProposalsResponse(Model):
    data: list[ListProposalsResponseDataItem]


class ListProposalsResponseDataItemDecided(Model):
    """Who accepted, declined or replaced it, and when; null while it is open"""
    at: str
    actor: str
    username: str | None


class ListProposalsResponseDataItem(Model):
    id: str
    """Id of a proposal"""
    detection_id: str
    """Id of a detection"""
    created_at: str
    """When it was proposed"""
    actor: str
    """user:<id>, key:<keyId> or operator"""
    username: str | None
    """Of the account behind it, as it was then"""
    change: ChangeDetectionsRequestDetectionsItemSeen
    """What is proposed"""
    reason: str
    """Why, for the analyst who decides about it"""
    state: Literal["open", "accepted", "declined", "replaced"]
    """`replaced`: the same caller has proposed something else since"""
    decided: ListProposalsResponseDataItemDecided | None
    """Who accepted, declined or replaced it, and when; null while it is open"""


class ProposeChangeRequest(TypedDict, total=False):
    change: Required[Mapping[str, Any]]
    """What is proposed"""
    reason: Required[str]
    """Why, for the analyst who decides about it"""


class ListExceptionsResponseFileItem(Model):
    id: str
    hostname: str | None = None
    program: str | None = None
    file: str | None = None
    rule: str | None = None
    reason: str


class ListExceptionsResponse(Model):
    data: list[DetectionException]
    """Those made here, newest first"""
    file: list[ListExceptionsResponseFileItem]
    """Those of the rules file, which is changed by hand; they come first"""
    limit: int
    """As asked for"""
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
    """The detection it was made from"""
    created_at: str
    created_by: str
    created_by_name: str | None
    """Name of the user, or of the key and its user; null: it is not known"""
    ended_at: str | None
    """null: it holds"""
    ended_by: str | None
    ended_by_name: str | None
    """As createdByName"""
    request: str | None
    """The approved request that it comes from"""


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
    """Made from this detection: when none of hostname, program, file and rule is given, they are its rule on its host for its program"""
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
    """The detection it was made from"""
    created_at: str
    created_by: str
    created_by_name: str | None
    """Name of the user, or of the key and its user; null: it is not known"""
    ended_at: str | None
    """null: it holds"""
    ended_by: str | None
    ended_by_name: str | None
    """As createdByName"""
    request: str | None
    """The approved request that it comes from"""
    silenced: int | None
    """Open detections that it silenced at once; null: they are silenced within seconds"""


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
    """Made from this detection: when none of hostname, program, file and rule is given, they are its rule on its host for its program"""


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
    """As it would be"""
    examined: int
    """Detections that were looked at, the newest"""
    complete: bool
    """False when there are more"""
    silenced: int
    """Those it would have silenced"""
    open: int
    """Those among them that are open now"""
    examples: list[PreviewExceptionResponseExamplesItem]
    """The newest of them, 20 at most"""


class GetExceptionPolicyResponse(Model):
    analysts: Literal["create", "request"]
    """create: analysts create exceptions; request: they request them, and an administrator decides"""
    may_create: bool
    """Whether the caller may create exceptions; otherwise it may request them"""
    may_decide: bool
    """Whether the caller may decide about requests of others"""
    etag: str
    """Version, for If-Match"""
    changed_at: str
    changed_by: str


class ChangeExceptionPolicyRequest(TypedDict, total=False):
    analysts: Required[Literal["create", "request"]]
    """create: analysts create exceptions; request: they request them, and an administrator decides"""


class ListExceptionRequestsResponse(Model):
    data: list[ListExceptionRequestsResponseDataItem]
    """Newest first"""
    open: int
    """All open requests"""
    waiting: int
    """Open requests that wait for a decision of the caller: 0 unless it may decide"""
    limit: int
    """As requested"""
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
    """The detection it was requested from"""
    created_at: str
    requested_by: str
    requester_name: str | None
    """User name at the time of the request"""
    own: bool
    """Whether the caller requested it, with whichever key or session"""
    state: Literal["open", "approved", "rejected", "withdrawn"]
    decided_at: str | None
    decided_by: str | None
    decided_by_name: str | None
    decision_reason: str | None
    exception: str | None
    """The exception that an approved request became"""


class ApproveExceptionRequestRequest(TypedDict, total=False):
    reason: Required[str]
    """Why; the requester and the audit log get it"""


class ApproveExceptionRequestResponse(Model):
    id: str
    hostname: str | None
    program: str | None
    file: str | None
    rule: str | None
    expires: str | None
    reason: str
    detection: str | None
    """The detection it was requested from"""
    created_at: str
    requested_by: str
    requester_name: str | None
    """User name at the time of the request"""
    own: bool
    """Whether the caller requested it, with whichever key or session"""
    state: Literal["open", "approved", "rejected", "withdrawn"]
    decided_at: str | None
    decided_by: str | None
    decided_by_name: str | None
    decision_reason: str | None
    exception: str | None
    """The exception that an approved request became"""
    silenced: int | None
    """Open detections that it silenced at once; null: they are silenced within seconds"""


class ListUserRulesResponse(Model):
    data: list[ListUserRulesResponseDataItem]


class ListUserRulesResponseDataItem(Model):
    id: str
    """Id of a rule; GET /api/rules lists them"""
    title: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    enabled: bool
    version: int
    """Of the current text, from 1"""
    sha256: str
    """Of the current text; the audit log records it"""
    changed_at: str
    """Time of the last change, RFC 3339"""
    changed_by: str
    """Actor of the last change"""
    refusal: str | None
    """Why this version of Trapline does not judge by the rule; null: it does"""


class PushUserRuleRequest(TypedDict, total=False):
    source: Required[str]
    """The rule file: YAML of Sigma 2, one rule or several with the correlation over them"""


class PushUserRuleResponse(Model):
    id: str
    """Id of a rule; GET /api/rules lists them"""
    title: str
    severity: Literal["info", "low", "medium", "high", "critical"]
    enabled: bool
    version: int
    """Of the current text, from 1"""
    sha256: str
    """Of the current text; the audit log records it"""
    changed_at: str
    """Time of the last change, RFC 3339"""
    changed_by: str
    """Actor of the last change"""
    refusal: str | None
    """Why this version of Trapline does not judge by the rule; null: it does"""
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
    """Of the current text, from 1"""
    sha256: str
    """Of the current text; the audit log records it"""
    changed_at: str
    """Time of the last change, RFC 3339"""
    changed_by: str
    """Actor of the last change"""
    refusal: str | None
    """Why this version of Trapline does not judge by the rule; null: it does"""
    source: str
    """The text of the version asked for, else of the current one"""
    versions: list[GetUserRuleResponseVersionsItem]
    """The newest first, 100 at most"""


class ChangeUserRuleRequest(TypedDict, total=False):
    enabled: Required[bool]
    """false: it finds nothing any more"""


class BacktestRuleRequest(TypedDict, total=False):
    enabled: bool | None
    """null: as the rules file says, else on"""
    thresholds: Mapping[str, Any]
    """By name; null: as the rules file says, else the default"""
    from_: str
    """Start of the time range (inclusive), RFC 3339; default 30 days before `to`"""
    to: str
    """End of the time range (exclusive), RFC 3339; default now"""


class BacktestRuleResponseChangedItem(Model):
    before: list[BacktestRuleResponseAddedItem]
    """As the current settings find the episode"""
    after: list[BacktestRuleResponseAddedItem]
    """As the proposed settings find the episode"""


class BacktestRuleResponse(Model):
    from_: str = Field(alias="from")
    """Events from this instant on were judged; later than asked for when there were too many"""
    to: str
    """Events before this instant were judged"""
    events: int
    """Events that were judged"""
    complete: bool
    """False when there were more events, or more work, than a back-test takes on"""
    current: BacktestRuleResponseCurrent
    """By the settings that hold"""
    proposed: BacktestRuleResponseCurrent
    """By those proposed"""
    added: list[BacktestRuleResponseAddedItem]
    """Detections that only the proposed settings find, 20 at most"""
    removed: list[BacktestRuleResponseAddedItem]
    """Detections that only the current settings find, 20 at most"""
    changed: list[BacktestRuleResponseChangedItem]
    """Episodes that both settings find, but not as the same detections: same program and register, overlapping in time; several on one side where the other joins or splits them. 20 at most"""


class BacktestRuleResponseCurrent(Model):
    detections: int
    """Detections of the rule"""
    silenced: int
    """Those among them that an exception covers"""


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
    """The rule file: YAML of Sigma 2, one rule or several with the correlation over them"""
    from_: str
    """Start of the time range (inclusive), RFC 3339; default 30 days before `to`"""
    to: str
    """End of the time range (exclusive), RFC 3339; default now"""


class BacktestUserRuleResponse(Model):
    from_: str = Field(alias="from")
    """Events from this instant on were judged; later than asked for when there were too many"""
    to: str
    """Events before this instant were judged"""
    events: int
    """Events of the time asked for"""
    judged: int
    """Those among them that ClickHouse left to the rule; the others cannot match, or cannot fire"""
    complete: bool
    """False when there were more events, or more work, than a back-test takes on"""
    detections: int
    """Detections of the rule"""
    silenced: int
    """Those among them that an exception covers"""
    found: list[BacktestRuleResponseAddedItem]
    """Detections, 20 at most"""


class CreateDetectorTokenRequest(TypedDict, total=False):
    expires_in_minutes: int
    """How long the token is valid, minutes; at most a week"""
    hostname: str
    """The only host that may use the token. Needed to enrol a host again; not set: any new host"""


class CreateDetectorTokenResponse(Model):
    id: str
    """Names the token in the audit log"""
    token: str
    """Returned this once: only a hash is kept"""
    expires_at: str
    """From then on the token is refused"""


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
    """What stands before the dot of a key"""
    api_key: str
    """Key of the host with the scope events:write: returned this once, and never again"""


class ListDetectorsResponseDataItem(Model):
    hostname: str
    """Name of the host in its events"""
    key_id: str
    """What stands before the dot of a key"""
    enrolled_at: str
    """When the host was enrolled last"""
    version: str | None
    """Version of the detector"""
    source: str | None
    """What the detector reads; null: not reported yet"""
    last_seen_at: str | None
    """When the detector reported last; null: never"""
    silent: bool
    """True: there was no report for five minutes"""
    lag_ms: int | None
    """Age of the oldest event that the server has not accepted, ms; 0: none waits"""
    lost_records: int | None
    """Kernel records that were overwritten before the detector read them"""
    refused_events: int | None
    """Events that the server refused since the detector started, such as those of another host"""
    dropped_events: int | None
    """Events that found no room in the spool of the host since the detector started: they are lost"""
    settings: dict[str, str]
    """Kernel settings that decide which crashes are logged, by name"""


class ListDetectorsResponse(Model):
    data: list[ListDetectorsResponseDataItem]


class ReportDetectorStatusRequest(TypedDict, total=False):
    version: Required[str]
    """Version of the detector"""
    source: Required[str]
    """What the detector reads"""
    lag_ms: Required[int]
    """Age of the oldest event that the server has not accepted, ms; 0: none waits"""
    lost_records: Required[int]
    """Kernel records that were overwritten before the detector read them"""
    refused_events: int
    """Events that the server refused since the detector started, such as those of another host"""
    dropped_events: int
    """Events that found no room in the spool of the host since the detector started: they are lost"""
    settings: Required[Mapping[str, Any]]
    """Kernel settings that decide which crashes are logged, by name"""
    hostname: str
    """Name of the host in its events; refused when the key is of another"""


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
    """present for administrators and members of the team"""
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
    """Of the console or a key; null when the account was deleted"""
    id: str
    username: str


class RecentExecutionStartedBy(Model):
    """With include=startedBy: who or what started it; null when that is unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: RecentExecutionStartedByUser | None
    """Of the console or a key; null when the account was deleted"""
    key_label: str | None
    """Label of the API key, for its owner and administrators"""
    execution_id: str | None
    """The execution whose step started it"""


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
    """With include=startedBy: who or what started it; null when that is unknown"""


class ExecutionStartedByUser(Model):
    """Of the console or a key; null when the account was deleted"""
    id: str
    username: str


class ExecutionStartedBy(Model):
    """With include=startedBy: who or what started it; null when that is unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: ExecutionStartedByUser | None
    """Of the console or a key; null when the account was deleted"""
    key_label: str | None
    """Label of the API key, for its owner and administrators"""
    execution_id: str | None
    """The execution whose step started it"""


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
    """With include=startedBy: who or what started it; null when that is unknown"""
    workflow_id: str | None
    """wf_…; null for an agent"""
    agent_id: str | None
    """awf_…; null for a workflow"""
    input: Any
    result: Any
    """Result of a workflow, output of an agent; null until it has completed"""
    source_execution_id: str | None
    """The execution that it repeats"""
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
    """suspension-requested: its tasks in progress end first, or it waits for its turn"""
    was_status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]


class ResumeExecutionResponse(Model):
    execution_id: str
    status: Literal["resumed", "not-suspended", "already-terminal"]
    was_status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]


class GetExecutionSuspensionResponseSuspension(Model):
    """null: it is not suspended, or has ended"""
    requested_at: str
    """RFC 3339"""
    suspended_at: str | None
    """null: its tasks in progress have not ended"""


class GetExecutionSuspensionResponse(Model):
    suspension: GetExecutionSuspensionResponseSuspension | None
    """null: it is not suspended, or has ended"""


class ListWaitsResponse(Model):
    data: list[Wait]
    limit: int
    next_cursor: str | None


class WaitFiltersItemCorrelateValue(Model):
    from_: str = Field(alias="from")
    """expression on the event"""
    expect: Any = None
    """what it has to yield; absent: whatever the first event yields"""


class WaitFiltersItem(Model):
    with_: dict[str, Any] = Field(alias="with")
    """attributes; texts may be regular expressions, expressions are as written"""
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
    """the call of a tool that a decision is about; null: another wait"""
    tool: str
    arguments: str
    """JSON without values of secrets. The agent chose them, possibly by data of an attacker: untrusted"""
    truncated: bool
    """the arguments are longer"""
    expires_at: str
    """after that the call is refused"""


class WaitApprovalApproversItemOption1(Model):
    user: str


class WaitApprovalApproversItemOption2(Model):
    team: str


class WaitApprovalApproversItemOption3(Model):
    role: Literal["user", "analyst", "admin"]


class WaitApproval(Model):
    """who decides, as the workflow says it; null: it says nothing"""
    approvers: list[Union[WaitApprovalApproversItemOption1, WaitApprovalApproversItemOption2, WaitApprovalApproversItemOption3]]
    """empty: those who may decide where no approvers are named"""
    except_: list[Literal["starter", "lastEditor"]] = Field(alias="except")
    count: int
    """how many different users have to approve"""


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
    """how many of the filters need an event"""
    filters: list[WaitFiltersItem]
    since: str
    workflow: WaitWorkflow | None
    """null: the execution is that of an agent"""
    agent: WaitAgent | None
    """null: the execution is that of a workflow"""
    tool_call: WaitToolCall | None
    """the call of a tool that a decision is about; null: another wait"""
    input: Any = None
    """of the execution; left out when it has more than 16 KiB"""
    approval: WaitApproval | None
    """who decides, as the workflow says it; null: it says nothing"""
    decisions: list[WaitDecisionsItem]
    may_decide: bool
    """whether the caller may decide, and has not decided yet"""


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
    """the only hosts that it is sent to; null: any"""
    created_at: str
    """RFC 3339"""
    updated_at: str
    """RFC 3339"""


class SetSecretRequest(TypedDict, total=False):
    value: Required[str]
    hosts: Sequence[str] | None
    """The only hosts that tasks send the value to; null: any. Without it they stay as they are. Connections use TLS, except to hosts that begin with `http://`"""


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
    """how many were new"""
    duplicates: int
    """how many had come before, by source and id"""


class SignalExecutionResponse(Model):
    execution_id: str
    event_id: str
    state: Literal["pending", "replied", "too-large", "ended"]
    """too-large: the reply is larger than 256 KiB and not kept; ended: the execution ended without a reply"""
    execution_status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]
    reply: dict[str, Any] | None
    """the CloudEvent that the execution sent in reply"""


class ListWorkflowsResponseDataItem(Model):
    id: str
    """wf_…"""
    name: str
    """the slug"""
    kind: Literal["workflow", "block"]
    version: str
    """tag of the current release"""
    archived: bool | None = None
    """true: it is deleted, so not listed and not run; absent: it is active"""
    created_at: str
    """RFC 3339"""
    updated_at: str
    """RFC 3339"""
    title: str | None = None
    """that of its definition, when `titles` asks for it"""


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
    """true: it is deleted, so not listed and not run; absent: it is active"""
    created_at: str
    """RFC 3339"""
    updated_at: str
    """RFC 3339"""
    definition: dict[str, Any]
    """as it was read"""
    yaml_content: str
    """as it was sent"""


class ReleaseWorkflowRequest(TypedDict, total=False):
    yaml_content: Required[str]
    """a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB"""
    version: str
    """the tag; by default the next number"""
    kind: Literal["workflow", "block"]
    """by default as it was; workflow for a new one"""
    visibility: Literal["private", "shared"]
    """by default as it was; private for a new one"""
    notes: str


class ReleaseWorkflowResponse(Model):
    workflow: Workflow
    version: WorkflowVersion
    visibility: Literal["private", "shared"]
    released: bool
    """false: the definition is what it was, and no version was made"""
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
    """true: it is deleted, so not listed and not run; absent: it is active"""
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
    """left out of lists where it has more than 256 KiB"""
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
    """Path of its steps in executions, without turns of loops"""
    parent: str | None
    """Path of the task that contains it; null for a task of the workflow itself"""
    role: str | None
    """List of the parent that contains it: `do`, `try`, `catch`, `foreach`, `branch`; null without parent"""
    name: str
    kind: str
    """Key of the task: set, call, for …"""
    detail: str | None
    """What is called, iterated or run, in a few words"""
    condition: str | None
    """The task is skipped unless this expression is true"""
    next: str | None
    """Next task by name, `end` or `exit`; null for the next task of the list"""
    flow: Literal["sequence", "parallel", "attempt", "choice", "end"]
    """`sequence`: inner tasks, then the next task; `parallel`: inner tasks at once; `attempt`: `try`, and `catch` after an error; `choice`: one of the cases; `end`: no task follows"""
    cases: list[ListWorkflowTasksResponseDataItemCasesItem]


class ListWorkflowTasksResponse(Model):
    version: str
    """tag"""
    data: list[ListWorkflowTasksResponseDataItem]
    """Every task after the task that contains it"""


class ListWorkflowTasksResponseDataItemCasesItem(Model):
    name: str
    when: str | None
    """Expression; null for every other value"""
    next: str | None
    """As `next` of a task"""


class GetWorkflowGraphResponse(Model):
    version: str
    """tag"""
    mermaid: str
    """a flow chart in the language of Mermaid"""


class RollbackWorkflowRequest(TypedDict, total=False):
    version: Required[str]
    """id or tag of the version that is to be current again"""


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
    """unified; empty when both say the same"""


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
    """Of the console or a key; null when the account was deleted"""
    id: str
    username: str


class ListedExecutionStartedBy(Model):
    """With include=startedBy: who or what started it; null when that is unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: ListedExecutionStartedByUser | None
    """Of the console or a key; null when the account was deleted"""
    key_label: str | None
    """Label of the API key, for its owner and administrators"""
    execution_id: str | None
    """The execution whose step started it"""


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
    """With include=startedBy: who or what started it; null when that is unknown"""


class WorkflowExecutionWorkflow(Model):
    id: str
    name: str


class WorkflowExecutionStartedByUser(Model):
    """Of the console or a key; null when the account was deleted"""
    id: str
    username: str


class WorkflowExecutionStartedBy(Model):
    """With include=startedBy: who or what started it; null when that is unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: WorkflowExecutionStartedByUser | None
    """Of the console or a key; null when the account was deleted"""
    key_label: str | None
    """Label of the API key, for its owner and administrators"""
    execution_id: str | None
    """The execution whose step started it"""


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
    """With include=startedBy: who or what started it; null when that is unknown"""
    execution_id: str
    steps: list[ExecutionStep] | None = None
    """with includeSteps=true"""


class ExecutionStep(Model):
    step: str
    """path in the definition, with the turns of the loops around it"""
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
    """Path of its steps in executions, without turns of loops"""
    parent: str | None
    """Path of the task that contains it; null for a task of the workflow itself"""
    role: str | None
    """List of the parent that contains it: `do`, `try`, `catch`, `foreach`, `branch`; null without parent"""
    name: str
    kind: str
    """Key of the task: set, call, for …"""
    detail: str | None
    """What is called, iterated or run, in a few words"""
    condition: str | None
    """The task is skipped unless this expression is true"""
    next: str | None
    """Next task by name, `end` or `exit`; null for the next task of the list"""
    flow: Literal["sequence", "parallel", "attempt", "choice", "end"]
    """`sequence`: inner tasks, then the next task; `parallel`: inner tasks at once; `attempt`: `try`, and `catch` after an error; `choice`: one of the cases; `end`: no task follows"""
    cases: list[ListWorkflowTasksResponseDataItemCasesItem]
    place: list[Union[str, int]]
    """Keys and indexes that lead to the task in the definition"""


class CheckWorkflowResponse(Model):
    valid: bool
    issues: list[CheckWorkflowResponseIssuesItem]
    tasks: list[CheckWorkflowResponseTasksItem]
    """Empty when the definition is not valid"""


class DryRunWorkflowRequest(TypedDict, total=False):
    yaml_content: Required[str]
    """a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB"""
    execution_id: Required[str]
    """exec_… of an execution of this workflow that has ended: its input and recorded outcomes are used"""


class DryRunWorkflowResponse(Model):
    execution_id: str
    """exec_…"""


class GetWorkflowLimitsResponsePaused(Model):
    at: str
    """RFC 3339"""
    by: str
    """who paused it, as in the audit log"""
    reason: str | None


class GetWorkflowLimitsResponse(Model):
    paused: GetWorkflowLimitsResponsePaused | None
    declared: GetWorkflowLimitsResponseDeclared
    """`document.metadata.limits` of the current version"""
    holding: int
    """executions that hold a slot of `concurrency`"""
    waiting: int
    """starts that wait; 10000 stands for 10000 and more"""
    queues: list[GetWorkflowLimitsResponseQueuesItem]
    """the 20 longest"""


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
    """paused: its workflow is paused; debounce, batch: it waits for further starts; concurrency, throttle: the limit is used up; concurrency-key: another execution has the key that the caller gave"""
    key: str | None
    holding: int
    """executions that hold a slot of this key"""
    waiting: int
    oldest: str
    """when the first of them was accepted"""
    until: str | None
    """when the next one can begin at the earliest, where that is known"""


class GetExecutionLimitsResponseWaitsFor(Model):
    """null: it waits for no limit"""
    reason: Literal["paused", "debounce", "batch", "concurrency", "throttle", "concurrency-key"]
    """paused: its workflow is paused; debounce, batch: it waits for further starts; concurrency, throttle: the limit is used up; concurrency-key: another execution has the key that the caller gave"""
    key: str | None
    """key of the limit as JSON, or the hash of a long one; null for a limit without one"""
    ahead: int
    """starts before it in the same queue; 1000 stands for 1000 and more"""
    until: str | None
    """when it can begin at the earliest, where that is known"""
    merged_starts: int
    """starts that a debounce or batch has merged into it"""


class GetExecutionLimitsResponse(Model):
    waits_for: GetExecutionLimitsResponseWaitsFor | None
    """null: it waits for no limit"""


class ListPausedWorkflowsResponseDataItem(Model):
    at: str
    """RFC 3339"""
    by: str
    """who paused it, as in the audit log"""
    reason: str | None
    workflow: PausedWorkflow


class ListPausedWorkflowsResponse(Model):
    data: list[ListPausedWorkflowsResponseDataItem]
    """the newest pauses first, at most 1000"""


class PausedWorkflow(Model):
    id: str
    name: str


class CountBulkActionRequest(TypedDict, total=False):
    action: Required[Literal["cancel", "replay"]]
    statuses: Sequence[Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]]
    """of cancel: those that have not ended, by default all of them; of replay: those that have, by default failed"""
    from_: str | datetime
    """created then or later"""
    to: str | datetime
    """created then or before"""
    version: Literal["latest", "same"]
    """of replay: the current version, or the one that the execution had; by default the current one"""
    expected: int
    """count that was confirmed; when there are more executions now, nothing is done and the answer is a 400"""


class CountBulkActionResponse(Model):
    count: int
    """executions that the filter chooses, counted up to 10001"""
    max: int
    """executions of one bulk action at most"""


class StartBulkActionResponse(Model):
    id: str
    """bulk_…"""
    action: Literal["cancel", "replay"]
    filters: StartBulkActionResponseFilters
    version: Literal["latest", "same"] | None = None
    by: str
    """who started it, as in the audit log"""
    status: Literal["running", "stopping", "stopped", "completed"]
    total: int
    done: int
    skipped: int
    """of cancel: had ended before; of replay: could not be started, or are dry runs"""
    problem: str | None
    """why the last one that was skipped could not be started"""
    created_at: str
    """RFC 3339"""
    ended_at: str | None
    """RFC 3339"""


class StartBulkActionResponseFilters(Model):
    statuses: list[Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"]] | None = None
    """of cancel: those that have not ended, by default all of them; of replay: those that have, by default failed"""
    from_: str | None = Field(default=None, alias="from")
    """created then or later"""
    to: str | None = None
    """created then or before"""


class ListBulkActionsResponse(Model):
    data: list[StartBulkActionResponse]
    """the newest 20"""


class GetWorkflowAccessResponse(Model):
    visibility: Literal["private", "shared"]
    """shared: everybody who may run anything may run it"""
    run: bool
    edit: bool
    share: bool
    """change its grants and its visibility"""


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
    """view: read it and all its executions; run: view, run, cancel; edit: run, release and change; approve: view, and decide where the workflow does not name the approvers"""
    user: str
    """Username"""
    team: str
    role: Literal["user", "analyst", "admin"]
    """Everyone with this role or a higher one"""


class RunWorkflowRequest(TypedDict, total=False):
    input: Any
    """JSON; by default an empty object"""
    overrides: Mapping[str, Any] | None
    """outputs for steps by name: those steps are not executed"""
    trigger: Literal["api", "cli"]
    example_id: str | None
    priority: int
    """greater ones first; by default 0"""
    concurrency_key: str
    """of those with one key one at a time goes on"""


class RunWorkflowForm(Model):
    json_: str | None = Field(default=None, alias="_json")
    """What else would be the JSON body"""


class RunWorkflowResponse(Model):
    execution_id: str
    """exec_…"""
    status: Literal["created", "pending", "running", "waiting", "finalizing", "completed", "failed", "cancelled", "rejected"] | None = None
    result: Any = None
    error: str | None = None


class ListWorkflowTriggersResponse(Model):
    data: list[Trigger]
    """At most one of a kind"""


class Trigger(Model):
    id: str
    """trg_…"""
    kind: Literal["schedule", "after", "event", "webhook"]
    """schedule: by clock; after: by the end of the last execution; event: by events; webhook: by a signed request"""
    enabled: bool
    spec: dict[str, Any]
    """what it goes by, as read from the definition; times are UTC"""
    problem: str | None
    """why it can not work"""
    next_at: str | None
    """when a schedule is due next"""
    last_at: str | None
    """when it began something last"""
    missed: int
    """times that were left out, because no worker was there"""


class ChangeWorkflowTriggerRequest(TypedDict, total=False):
    enabled: Required[bool]
    """True if it starts executions"""


class OpenWorkflowWebhookResponse(Model):
    path: str
    """where deliveries are sent to with POST"""
    header: str
    """the header they are signed in"""
    secret: str
    """the key of their signatures; returned this once"""


class ListCasesResponse(Model):
    data: list[Case]
    """The newest first"""
    limit: int
    """As asked for"""
    next_cursor: str | None
    """null on the last page"""


class Case(Model):
    id: str
    """Id of a case"""
    number: int
    """For people: 1, 2, 3 …; numbers can be missing"""
    etag: str
    """For If-Match. It identifies the fields of the case, not its detections, tasks and files"""
    title: str
    """What it is about"""
    description: str | None
    """Markdown; null: none"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Of the case, which may differ from those of its detections"""
    status: Literal["open", "in_progress", "closed"]
    """How far the work on it is"""
    reason: Literal["resolved", "false_positive", "benign", "duplicate"] | None
    """Why it is closed; null while it is not"""
    assignee: str | None
    """The analyst who leads it: the name of an account with the role analyst or admin; null: not assigned"""
    campaign: str | None
    """The detection of a campaign that opened it; null: a user opened it"""
    detections: int
    """Number of its detections"""
    tasks: int
    """Number of its tasks"""
    tasks_done: int
    """Tasks that are done"""
    created_at: str
    created_by: str
    """user:<id>, key:<keyId>, operator or system"""
    changed_at: str
    """Of the last change of its fields, detections, tasks or files"""
    acknowledged_at: str | None
    """When it was first in progress, closed or assigned"""
    closed_at: str | None
    time_to_acknowledge: float | None
    """Seconds from its opening to that; null: not yet"""
    time_to_close: float | None
    """Seconds from its opening to its last closing; null: it is not closed"""


class CreateCaseRequest(TypedDict, total=False):
    title: str
    """What it is about"""
    description: str | None
    """Markdown; null: none"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Default: that of the template, else the highest of the detections, else medium"""
    assignee: str | None
    """The analyst who leads it: the name of an account with the role analyst or admin; null: not assigned"""
    detections: Sequence[str]
    """Detections it begins with, at most 1,000"""
    template: str
    """Template whose title, severity and tasks it gets"""


class WholeCase(Model):
    id: str
    """Id of a case"""
    number: int
    """For people: 1, 2, 3 …; numbers can be missing"""
    etag: str
    """For If-Match. It identifies the fields of the case, not its detections, tasks and files"""
    title: str
    """What it is about"""
    description: str | None
    """Markdown; null: none"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Of the case, which may differ from those of its detections"""
    status: Literal["open", "in_progress", "closed"]
    """How far the work on it is"""
    reason: Literal["resolved", "false_positive", "benign", "duplicate"] | None
    """Why it is closed; null while it is not"""
    assignee: str | None
    """The analyst who leads it: the name of an account with the role analyst or admin; null: not assigned"""
    campaign: str | None
    """The detection of a campaign that opened it; null: a user opened it"""
    detections: int
    """Number of its detections"""
    tasks: int
    """Number of its tasks"""
    tasks_done: int
    """Tasks that are done"""
    created_at: str
    created_by: str
    """user:<id>, key:<keyId>, operator or system"""
    changed_at: str
    """Of the last change of its fields, detections, tasks or files"""
    acknowledged_at: str | None
    """When it was first in progress, closed or assigned"""
    closed_at: str | None
    time_to_acknowledge: float | None
    """Seconds from its opening to that; null: not yet"""
    time_to_close: float | None
    """Seconds from its opening to its last closing; null: it is not closed"""
    detection_ids: list[str]
    """Its detections, in the order in which they were added"""
    task_list: list[CaseTask]
    """Its tasks, in their order"""
    files: list[CaseFile]
    """Its evidence files, the oldest first"""


class CaseTask(Model):
    id: str
    """Id of a task"""
    title: str
    """What is to be done"""
    assignee: str | None
    done: bool


class CaseFile(Model):
    id: str
    """Id of a file of a case"""
    filename: str
    """As its sender called it"""
    size: int
    """Bytes"""
    sha256: str
    """SHA-256 of its content, hexadecimal"""
    added_at: str
    added_by: str
    username: str | None


class ChangeCaseRequest(TypedDict, total=False):
    title: str
    """What it is about"""
    description: str | None
    """Markdown; null: none"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Of the case, which may differ from those of its detections"""
    status: Literal["open", "in_progress", "closed"]
    """How far the work on it is"""
    reason: Literal["resolved", "false_positive", "benign", "duplicate"] | None
    """Needed to close it; it cannot be given for a case that is not closed"""
    assignee: str | None
    """The analyst who leads it: the name of an account with the role analyst or admin; null: not assigned"""


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
    """What is to be done"""
    assignee: str | None
    """The analyst who leads it: the name of an account with the role analyst or admin; null: not assigned"""


class ChangeCaseTaskRequest(TypedDict, total=False):
    title: str
    """What is to be done"""
    assignee: str | None
    """The analyst who leads it: the name of an account with the role analyst or admin; null: not assigned"""
    done: bool
    """Whether it is done"""


class GetCaseTimelineResponse(Model):
    data: list[CaseHappening]
    """The oldest first"""
    complete: bool
    """False when the oldest are left out: the newest 2,000 are returned"""


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
    """Cases opened in the range"""
    still_open: int
    """Those of them that are not closed"""
    time_to_acknowledge: GetCaseMetricsResponseTimeToAcknowledge
    """Of cases opened in the range that are acknowledged"""
    time_to_close: GetCaseMetricsResponseTimeToAcknowledge
    """Of cases opened in the range that are closed"""


class GetCaseMetricsResponseTimeToAcknowledge(Model):
    count: int
    """Cases it is computed from"""
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
    """For If-Match"""
    name: str
    """Unique, ignoring case"""
    title: str
    """What it is about"""
    severity: Literal["info", "low", "medium", "high", "critical"]
    """Of the case, which may differ from those of its detections"""
    tasks: list[str]
    """Titles of its tasks, in their order"""
    changed_at: str
    changed_by: str


class CreateCaseTemplateRequest(TypedDict, total=False):
    name: Required[str]
    """Unique, ignoring case"""
    title: Required[str]
    """What it is about"""
    severity: Required[Literal["info", "low", "medium", "high", "critical"]]
    """Of the case, which may differ from those of its detections"""
    tasks: Required[Sequence[str]]
    """Titles of its tasks, in their order"""


class SearchPeopleResponse(Model):
    data: list[Person]


class Person(Model):
    username: str
    """Name of the account"""
    email: str
    """Address, in lower case"""
    role: Literal["analyst", "admin"]


class ListDetectionCommentsResponse(Model):
    data: list[Comment]
    """The oldest first"""
    limit: int
    """As asked for"""
    next_cursor: str | None
    """null on the last page"""


class Comment(Model):
    id: str
    created_at: str
    actor: str
    """user:<id>, key:<keyId> or operator"""
    username: str | None
    """Of the author, as it was then"""
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
    """Markdown, at most 10,000 characters. `@name` mentions an analyst, who gets a mail"""


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
    """When it was linked"""
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
    """Name of the user, or of the key and its user; null: it is not known"""
    updated_at: str


class OutputFilter(Model):
    min_severity: Literal["info", "low", "medium", "high", "critical"] | None = None
    """Only of this severity or above"""
    rules: list[str] | None = None
    """Only of these rules"""
    hosts: list[str] | None = None
    """Only of these hosts; * matches any text"""
    causes: list[Literal["opened", "grown", "closed"]] | None = None
    """Only when opened, grown or closed"""
    cases: list[Literal["opened", "changed", "closed"]] | None = None
    """Also cases, when opened, changed or closed; of `minSeverity` or above. Without it no case is sent"""


class OutputFilter2(Model):
    min_severity: Literal["info", "low", "medium", "high", "critical"] | None = None
    """Only of this severity or above"""
    rules: list[str] | None = None
    """Only of these rules"""
    hosts: list[str] | None = None
    """Only of these hosts; * matches any text"""
    causes: list[Literal["opened", "grown", "closed"]] | None = None
    """Only when opened, grown or closed"""
    cases: list[Literal["opened", "changed", "closed"]] | None = None
    """Also cases, when opened, changed or closed; of `minSeverity` or above. Without it no case is sent"""


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
    """`waiting`: it is sent again; `delivered`: the receiver accepted it then"""
    at: str
    """When it entered this state"""


class GetOutputDeliveriesResponseDeadLetters(Model):
    data: list[GetOutputDeliveriesResponseDeadLettersDataItem]
    next_cursor: str | None


class GetOutputDeliveriesResponse(Model):
    state: Literal["idle", "delivering", "retrying", "paused"]
    """`retrying`: the receiver did not accept a message, and all messages wait in order; `paused`: the output is disabled"""
    lag: GetOutputDeliveriesResponseLag
    delivered: int
    """Messages since the output was created"""
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
    """Dead letters to send again; default: all refused ones"""


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
    """source_missing: the script or instructions its runtime needs are not in its workspace"""
    latest_version: int | None
    """Of the workspace"""
    latest_commit: str | None
    """Hash of all paths and contents of it"""
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
    """Of the runs with a known cost"""


class AgentFile(Model):
    path: str
    size: int
    """Bytes"""
    content_type: str
    sha256: str
    version: int
    """Of the workspace, with which it came"""
    created_at: str
    """RFC 3339 with milliseconds"""


class AgentExample(Model):
    id: str
    name: str
    input: Any
    expected: Any
    comparison: Literal["exact", "subset", "schema"]
    """Of the output: equal to what is expected, having at least that, or as the JSON Schema that is expected says"""
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
    """Servers of the Model Context Protocol. A tool of them is used after a consent to it: PUT …/mcp-tools"""
    input_schema: dict[str, Any] | None = None
    """JSON Schema an input has to fit"""
    output_schema: dict[str, Any] | None = None
    """JSON Schema of the output; default the file output.schema.json of the workspace"""
    limits: CreateAgentRequestConfigLimits | None = None


class CreateAgentRequestConfigModel(Model):
    name: str | None = None
    """Name of the model at its endpoint"""
    base_url: str | None = None
    """Endpoint that speaks the OpenAI protocol, such as https://models.example.org/v1"""
    api_key_secret: str | None = None
    """Name of the secret that holds its key"""
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
    """Of those that match, deny precedes ask, and ask precedes allow"""
    approval: CreateAgentRequestConfigPermissionsApproval | None = None
    """Who decides about calls that ask"""


class CreateAgentRequestConfigPermissionsRulesItem(Model):
    tool: str
    """Name of a tool, such as http.fetch; * stands for any characters"""
    arguments: dict[str, str] | None = None
    """Names of arguments and what each has to be; default: any arguments"""
    decision: Literal["allow", "ask", "deny"]


class CreateAgentRequestConfigPermissionsApproval(Model):
    approvers: list[Union[CreateAgentRequestConfigPermissionsApprovalApproversItemOption1, CreateAgentRequestConfigPermissionsApprovalApproversItemOption2, CreateAgentRequestConfigPermissionsApprovalApproversItemOption3]] | None = None
    """Who decides; default: the user who started the run, users with the grant approve, and administrators"""
    except_: list[Literal["starter", "lastEditor"]] | None = Field(default=None, alias="except")
    """Who cannot decide in spite of that; lastEditor: the author of the version of the workspace that runs"""
    count: int | None = None
    """How many different users have to approve; default 1"""
    expires_after_seconds: int | None = None
    """After that the call is refused; default one day"""


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
    """Paths that are taken away"""


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
    """Of them, those that have ended"""
    unpriced_runs: int
    """Runs that ended and used a model, and whose cost is unknown"""
    input_tokens: float
    cached_input_tokens: float
    """Of the input tokens, those that the endpoint read from its cache"""
    output_tokens: float
    total_tokens: float
    steps: float
    """Calls of models"""
    tool_calls: float
    duration_ms: float
    """Of all runs together"""
    credits: float | None
    """Of the runs with a known cost; null: no cost is known"""


class GetAgentUsageResponseVersionsItem(Model):
    version: int
    """Of the workspace"""
    runs: int
    ended: int
    """Of them, those that have ended"""
    unpriced_runs: int
    """Runs that ended and used a model, and whose cost is unknown"""
    input_tokens: float
    cached_input_tokens: float
    """Of the input tokens, those that the endpoint read from its cache"""
    output_tokens: float
    total_tokens: float
    steps: float
    """Calls of models"""
    tool_calls: float
    duration_ms: float
    """Of all runs together"""
    credits: float | None
    """Of the runs with a known cost; null: no cost is known"""


class GetAgentUsageResponseModelsItem(Model):
    model: str | None
    """null: no model"""
    runs: int
    ended: int
    """Of them, those that have ended"""
    unpriced_runs: int
    """Runs that ended and used a model, and whose cost is unknown"""
    input_tokens: float
    cached_input_tokens: float
    """Of the input tokens, those that the endpoint read from its cache"""
    output_tokens: float
    total_tokens: float
    steps: float
    """Calls of models"""
    tool_calls: float
    duration_ms: float
    """Of all runs together"""
    credits: float | None
    """Of the runs with a known cost; null: no cost is known"""


class GetAgentUsageResponse(Model):
    from_: str = Field(alias="from")
    """RFC 3339"""
    to: str
    """RFC 3339"""
    scan_limited: bool
    """The period has more runs than were summed"""
    total: GetAgentUsageResponseTotal
    versions: list[GetAgentUsageResponseVersionsItem]
    models: list[GetAgentUsageResponseModelsItem]


class ListAgentMcpToolsResponseDataItem(Model):
    server: str
    """Name in the configuration"""
    name: str
    description: str
    """What the model reads about it. The server wrote it: untrusted"""
    input_schema: Any
    """JSON Schema of its arguments"""
    hash: str
    """SHA-256 of address, name, description and schema"""
    consent: Literal["given", "changed", "none"]
    """changed: the tool differs from the one with the consent, and is not used"""


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
    """Keys that replace those of the configuration; takes the right to change the agent"""


class StartAgentExperimentResponse(Model):
    id: str
    """`awp_…`"""
    name: str
    baseline: StartAgentExperimentResponseBaseline
    candidate: StartAgentExperimentResponseBaseline
    checks: list[Any]
    """As they were when it was started"""
    examples: int
    created_by: str
    created_at: str
    """RFC 3339 with milliseconds"""


class StartAgentExperimentResponseBaseline(Model):
    version: int
    """Of the workspace"""
    config: dict[str, Any]
    """Keys that replace those of the configuration of the agent"""


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
    """null: nothing failed, and a check was not made"""
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
    """null: nothing failed, and a check was not made"""
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
    """Examples for which both versions have it"""
    baseline_mean: float | None
    candidate_mean: float | None
    p_value: float | None
    """Permutation test of the signs of the differences, two-sided"""


class GetAgentExperimentResponseComparison(Model):
    baseline: GetAgentExperimentResponseComparisonBaseline
    candidate: GetAgentExperimentResponseComparisonBaseline
    both: int
    """Examples that both versions passed"""
    only_baseline: int
    only_candidate: int
    neither: int
    p_value: float | None
    """McNemar's exact test, two-sided, of the passed examples"""
    verdict: Literal["candidate-better", "baseline-better", "no-difference", "too-few"]
    """At a level of 5 %. too-few: fewer than 6 examples have different results, so that nothing can be significant"""
    metrics: list[GetAgentExperimentResponseComparisonMetricsItem]


class GetAgentExperimentResponse(Model):
    experiment: StartAgentExperimentResponse
    open: int
    """Runs that have not ended"""
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
    """null: it was not made"""
    message: str
    votes: EvaluationChecksItemVotes | None = None
    """Of a judge: its judgements, and the share of the valid ones that the majority has"""


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
    """Runs with a verdict"""
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
    """`timeout`: it goes on"""
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
    """null: nothing failed, and a check was not made"""
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
    """Have not ended"""
    passed: int
    failed: int
    pass_rate: GetAgentExperimentResponseComparisonBaseline
    not_compared: int
    """Ended without a verdict: nothing is expected of them, or they were cancelled"""
    executions: list[GetAgentEvaluationResponseExecutionsItem]


class ListAgentExecutionsResponse(Model):
    data: list[AgentExecution]
    executions: list[AgentExecution]
    """The same as `data`, under the older name"""
    total: int
    """How many fit, of those that were looked at"""
    limit: int
    offset: int
    scan_limited: bool
    """There are more than were looked at: total may be greater"""
    no_resolved_anchor: bool
    """sinceLastResolved was asked for, and no feedback was ever resolved"""


class AgentExecutionEvaluation(Model):
    """Of a run of an example: how it compares with what is expected"""
    passed: bool | None
    """null: nothing failed, and a check was not made"""
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
    """Of the console or a key; null when the account was deleted"""
    id: str
    username: str


class AgentExecutionStartedBy(Model):
    """With include=startedBy: who or what started it; null when that is unknown"""
    how: str
    """console, key, operator, schedule, webhook, event, detection, workflow, agent …"""
    user: AgentExecutionStartedByUser | None
    """Of the console or a key; null when the account was deleted"""
    key_label: str | None
    """Label of the API key, for its owner and administrators"""
    execution_id: str | None
    """The execution whose step started it"""


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
    """What it was given; left out of lists"""
    output: Any
    schema_valid: bool | None
    error: str | None
    cost: dict[str, float] | None
    """Counts such as inputTokens, outputTokens and toolCalls; credits is left out where the cost is unknown"""
    example_id: str | None
    example_name: str | None
    batch_id: str | None
    source_execution_id: str | None
    promoted_example_name: str | None
    workspace_version: int
    evaluation: AgentExecutionEvaluation | None
    """Of a run of an example: how it compares with what is expected"""
    feedback: AgentExecutionFeedback | None = None
    expected: Any = None
    expected_files: list[AgentExecutionExpectedFilesItem] | None = None
    started_by: AgentExecutionStartedBy | None = None
    """With include=startedBy: who or what started it; null when that is unknown"""
    files: list[AgentExecutionFilesItem] | None = None


class AgentExecutionExpectedFilesItem(Model):
    name: str


class AgentExecutionFilesItem(Model):
    kind: Literal["input", "output", "issues", "trace"]
    name: str
    """Of an input: its name, by which it is downloaded"""
    filename: str | None = None
    """What the sender called it"""
    size: int
    content_type: str
    """By its content"""


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
    """The same as body"""
    feedback_rating: Literal["pass", "fail", "partial"] | None
    """The same as rating"""
    feedback_status: Literal["open", "resolved", "ignored"]
    """The same as status"""


class GetExpectedOutcomeResponse(Model):
    expected: Any
    files: list[AgentExecutionExpectedFilesItem]


class AddExpectedFileRequest(TypedDict, total=False):
    output_file_name: Required[str]
    """Output file of the execution"""
    expected_name: str
    """What it is expected as; default: the same name"""


class AddExpectedFileForm(Model):
    file: str
    """The file"""
    name: str | None = None
    """What it is expected as; default: its own name"""


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
    """Only of this kind, or one of these; default: those the caller may read"""
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
    """How many executions are looked at, at most, when filters are given; 1 to 100,000, of which no more than 10,000 are; default 5,000"""
    limit: int | None
    """Maximum number of items, 1 to 500; default 50"""
    offset: int | None
    """Number of items to skip; default 0"""


class GetAgentExecutionQuery(TypedDict, total=False):
    include: str | Sequence[str] | datetime | None
    """Parts to add, joined by commas: feedback, expected, files, startedBy"""
