import type { Attack, Severity } from '#schemas/detection.ts';
import type { Expression } from './comparison.ts';
import type { EventField } from './event-fields.ts';
import type { RuleCase } from './rule-cases.ts';

/** Event types that user rules judge. RegisterProbe events are excluded, because they are findings themselves. */
export const JUDGED_TYPES = [
  'LinuxKernelTrap',
  'LinuxFatalSignal',
  'LinuxSuppressedCallback',
  'ConfigMismatch',
] as const;

/** One Sigma detection rule: which events it selects. */
export interface Selection {
  readonly name: string;
  /** Event types that it can select. */
  readonly types: readonly string[];
  readonly expression: Expression;
}

/** How selected events become detections. */
export interface Correlation {
  /** `single`: every selected event counts. */
  readonly type: 'single' | 'event_count' | 'value_count' | 'temporal' | 'temporal_ordered';
  /** Group fields of each selection, in the order of the selections. */
  readonly groupBy: readonly (readonly EventField[])[];
  /** Their names, as messages show them. */
  readonly groupNames: readonly string[];
  /** Seconds of event time within which evidence counts together. */
  readonly timespan: number;
  /** Number of events, values or selections at which the rule fires. */
  readonly need: number;
  /** Only for `value_count`. */
  readonly valueField: EventField | undefined;
}

/** A user rule that was parsed and checked. */
export interface UserRule {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly severity: Severity;
  readonly attack: readonly Attack[];
  readonly falsePositives: readonly string[];
  readonly selections: readonly Selection[];
  readonly correlation: Correlation;
  /** Seconds of event time without evidence after which a detection ends. */
  readonly quiet: number;
  /** Upper limit of the states of its expressions, as checked. */
  readonly maxStates: number;
  readonly cases: readonly RuleCase[];
  /** SHA-256 of the source. It distinguishes two versions. */
  readonly sha256: string;
}
