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

/** An event of a detector. Addresses have 64 bits: pass values above 2^53 as bigint. */
export type DetectorEvent = Readonly<Record<string, unknown>>;

export interface SubmitEventsResponse {
  readonly accepted: number;
  readonly rejected: readonly {
    /** Index of the element, from 0. */
    readonly index: number;
    readonly code: string;
    readonly path: string;
    readonly message: string;
  }[];
  /** Total number of rejections; `rejected` lists the first 1,000. Absent from servers that list all. */
  readonly rejectedTotal?: number;
}

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly limit: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A stored event. */
export interface StoredEvent {
  readonly id: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly received: string;
  /** Time of the event, RFC 3339 with nine fractional digits. */
  readonly time: string;
  /** Addresses of the event as hexadecimal text, with all digits. */
  readonly hex: Readonly<Record<string, string>>;
  /** The event as it was sent. JavaScript rounds numbers above 2^53. */
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
  /** Hosts of a campaign, which has no `hostname`: at most 256. */
  readonly hosts?: readonly string[];
  readonly hostsTotal?: number;
  readonly procname: string | null;
  readonly file: string | null;
  readonly register: string | null;
  /**
   * Values that all crashed processes share: executable, its GNU build id, user id, executable (or name) of the parent,
   * systemd unit, container, pod.
   */
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
  /** Highest risk of the host during an alert of `host-risk`; null for other rules. */
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
  /** False: there is more evidence than is included. */
  readonly evidenceComplete: boolean;
}

/** Changes of the decision about a detection. Omitted fields stay as they are; null removes a value. */
export interface DetectionChange {
  readonly status?: DetectionStatus | undefined;
  readonly verdict?: Verdict | null | undefined;
  readonly assignee?: string | null | undefined;
  readonly note?: string | null | undefined;
}

/** One value, or several alternatives. */
type Some<Value extends string = string> = Value | readonly Value[];

/** Filters by values. The same filters under `exclude.…` select records that have none of the values. */
type ValueFilters<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined } & {
  readonly [Name in keyof Values & string as `exclude.${Name}`]?: Values[Name] | undefined;
};

interface SubjectValues {
  hostname: Some;
  procname: Some;
  file: Some;
  register: Some;
  executable: Some;
  /** Systemd unit. */
  unit: Some;
  /** Container id. */
  container: Some;
  /** UID of a Kubernetes pod. */
  pod: Some;
}

interface EventValues extends SubjectValues {
  type: Some<EventType>;
}

interface DetectionValues extends SubjectValues {
  /** Executable of the parent process, or its name if the executable is unknown. */
  parent: Some;
  /** Rule id. */
  rule: Some;
  /** Id of the campaign detection; `null`: in no campaign. */
  campaign: Some;
  severity: Some<Severity>;
  status: Some<DetectionStatus>;
  /** `null`: no verdict. */
  verdict: Some<Verdict | 'null'>;
  /** `null`: not assigned. */
  assignee: Some;
}

/** Filters of both events and detections. */
interface RecordFilters {
  /** Inclusive. */
  readonly from?: Instant | undefined;
  /** Exclusive. */
  readonly to?: Instant | undefined;
  /** Id of a detection. For events, selects the evidence of that detection. */
  readonly detection?: string | undefined;
  /** A search expression, such as `nginx` or `hostname:web-*`. */
  readonly q?: string | undefined;
}

/** Filters of events. */
export interface EventFilters extends RecordFilters, ValueFilters<EventValues> {}

/** Filters of detections. */
export interface DetectionFilters extends RecordFilters, ValueFilters<DetectionValues> {}

/** Sort order of detections. Default: by latest evidence, latest first. */
export interface DetectionOrder {
  readonly sort?: 'lastSeen' | 'severity' | 'crashes' | 'host' | 'risk' | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
}

/** Fields by which detections can be grouped. */
export type DetectionGrouping = 'procname' | 'hostname' | 'rule' | 'campaign';

/** Detections with a common value. */
export interface DetectionGroup {
  /** Value of the filter with the same name; null: the detections have none. */
  readonly value: string | null;
  /** Name of the rule, or program of the campaign; null: unknown. */
  readonly name: string | null;
  readonly detections: number;
  /** Number of detections that are neither closed nor silenced by an exception. */
  readonly open: number;
  readonly worstSeverity: Severity;
  readonly crashes: number;
  /** Number of distinct hosts. */
  readonly hosts: number;
  readonly firstSeen: string;
  readonly lastSeen: string;
}

export interface DetectionGroups {
  readonly by: DetectionGrouping;
  /** The worst group first. */
  readonly data: readonly DetectionGroup[];
  /** Number of all groups, including those beyond the limit. */
  readonly groups: number;
  /** Number of all detections that match the filters. */
  readonly detections: number;
}

export interface DetectionCount {
  readonly detections: number;
  /** Time of the count. */
  readonly asOf: string;
}

export interface CursorParams {
  /** At most 1,000. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}
