import type { Instant } from './base.ts';

export type Severity = 'info' | 'low' | 'medium' | 'high' | 'critical';
export type DetectionStatus = 'new' | 'acknowledged' | 'closed';
export type Verdict = 'true_positive' | 'false_positive' | 'benign';

export type EventType =
  | 'RegisterProbe'
  | 'LinuxKernelTrap'
  | 'LinuxFatalSignal'
  | 'LinuxSuppressedCallback'
  | 'ConfigMismatch';

/** An event of a detector. Addresses are 64-bit: give those that exceed 2^53 as bigint. */
export type DetectorEvent = Readonly<Record<string, unknown>>;

export interface SubmitEventsResponse {
  readonly accepted: number;
  readonly rejected: readonly {
    /** Which element, from 0. */
    readonly index: number;
    readonly code: string;
    readonly path: string;
    readonly message: string;
  }[];
  /** How many were rejected; `rejected` lists the first 1,000. Absent from servers that list all. */
  readonly rejectedTotal?: number;
}

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly limit: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** An event as it was taken in. */
export interface StoredEvent {
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly received: string;
  /** The event's own, RFC 3339 with nine fractional digits. */
  readonly time: string;
  /** Its addresses as hexadecimal text, with all digits. */
  readonly hex: Readonly<Record<string, string>>;
  /** As it was sent; JavaScript rounds numbers beyond 2^53. */
  readonly event: DetectorEvent;
}

/** One episode of one rule against one program, in its latest revision. */
export interface Detection {
  /** `det_…` */
  readonly id: string;
  readonly revision: number;
  readonly rule: { readonly id: string; readonly version: number; readonly name: string };
  readonly severity: Severity;
  readonly hostname: string | null;
  /** Of a campaign over several hosts, which has no `hostname`: 256 at most. */
  readonly hosts?: readonly string[];
  readonly hostsTotal?: number;
  readonly procname: string | null;
  readonly file: string | null;
  readonly register: string | null;
  /** Of the processes that crashed, where they agree: executable, its GNU build id, user id, executable (or name) of the parent, unit of systemd, container, pod. */
  readonly executable: string | null;
  readonly buildId: string | null;
  readonly uid: number | null;
  readonly parent?: string | null;
  readonly unit: string | null;
  readonly container: string | null;
  readonly pod: string | null;
  /** RFC 3339 with nine fractional digits. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly crashes: number;
  readonly suppressedAtLeast: number;
  readonly message: string;
  /** Hexadecimal. */
  readonly values: readonly string[];
  readonly valuesTotal: number;
  readonly attack: readonly { readonly tactic: string; readonly technique: string; readonly name: string }[];
  readonly evidenceCount: number;
  /** Highest risk of the host during an alert of its signs; null for other rules. */
  readonly risk?: { readonly score: number; readonly normalised: number; readonly level: string } | null;
  readonly status: DetectionStatus;
  readonly verdict: Verdict | null;
  readonly assignee: string | null;
  readonly note: string | null;
  readonly exception: string | null;
  readonly event: DetectorEvent | null;
}

export interface DetectionWithEvidence extends Detection {
  readonly evidence: readonly StoredEvent[];
  /** False: there is more evidence than came along. */
  readonly evidenceComplete: boolean;
}

/** What is decided about a detection. What is not given stays; null takes it back. */
export interface DetectionChange {
  readonly status?: DetectionStatus | undefined;
  readonly verdict?: Verdict | null | undefined;
  readonly assignee?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/** One value, or several of which a record has one. */
type Some<Value extends string = string> = Value | readonly Value[];

/** Filters by values, and under `exclude.…` the same for records that have none of the values. */
type ValueFilters<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined } & {
  readonly [Name in keyof Values & string as `exclude.${Name}`]?: Values[Name] | undefined;
};

interface SubjectValues {
  hostname: Some;
  procname: Some;
  file: Some;
  register: Some;
  executable: Some;
  /** Unit of systemd. */
  unit: Some;
  /** Id of a container. */
  container: Some;
  /** Uid of a Kubernetes pod. */
  pod: Some;
}

interface EventValues extends SubjectValues {
  type: Some<EventType>;
}

interface DetectionValues extends SubjectValues {
  /** Executable of the parent process, or its name where that is not known. */
  parent: Some;
  /** Id of the rule. */
  rule: Some;
  /** Id of the detection of a campaign; `null`: in no campaign. */
  campaign: Some;
  severity: Some<Severity>;
  status: Some<DetectionStatus>;
  /** `null`: none. */
  verdict: Some<Verdict | 'null'>;
  /** `null`: not assigned. */
  assignee: Some;
}

/** What both events and detections can be filtered by. */
interface RecordFilters {
  /** Inclusive. */
  readonly from?: Instant | undefined;
  /** Exclusive. */
  readonly to?: Instant | undefined;
  /** Id of a detection; of events, those that are its evidence. */
  readonly detection?: string | undefined;
  /** A search, such as `nginx` or `hostname:web-*`. */
  readonly q?: string | undefined;
}

/** What events can be filtered by. */
export interface EventFilters extends RecordFilters, ValueFilters<EventValues> {}

/** What detections can be filtered by. */
export interface DetectionFilters extends RecordFilters, ValueFilters<DetectionValues> {}

/** What detections can be sorted by; default: by latest evidence, the latest first. */
export interface DetectionOrder {
  readonly sort?: 'lastSeen' | 'severity' | 'crashes' | 'host' | 'risk' | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}

/** What detections can be grouped by. */
export type DetectionGrouping = 'procname' | 'hostname' | 'rule' | 'campaign';

/** Detections that have one value in common. */
export interface DetectionGroup {
  /** A value of the filter of the same name; null: the detections have none. */
  readonly value: string | null;
  /** Name of the rule, or program of the campaign; null: unknown. */
  readonly name: string | null;
  readonly detections: number;
  /** Those neither closed nor silenced by an exception. */
  readonly open: number;
  readonly worstSeverity: Severity;
  readonly crashes: number;
  /** Distinct hosts. */
  readonly hosts: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

export interface DetectionGroups {
  readonly by: DetectionGrouping;
  /** The worst first. */
  readonly data: readonly DetectionGroup[];
  /** Number of all groups, also those beyond the limit. */
  readonly groups: number;
  /** Number of all detections that the filters choose. */
  readonly detections: number;
}

export interface DetectionCount {
  readonly detections: number;
  /** When they were counted. */
  readonly asOf: string;
}

export interface CursorParams {
  /** 1,000 at most. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
