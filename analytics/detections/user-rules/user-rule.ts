import type { Attack, Severity } from '#schemas/detection.ts';
import type { Expression } from './comparison.ts';
import type { EventField } from './event-fields.ts';
import type { RuleCase } from './rule-cases.ts';

/** Types of events that user rules judge. RegisterProbe events are findings themselves and are left out. */
export const JUDGED_TYPES = [
  'LinuxKernelTrap',
  'LinuxFatalSignal',
  'LinuxSuppressedCallback',
  'ConfigMismatch',
] as const;

/** One Sigma detection rule: which events it selects. */
export interface Selection {
  readonly name: string;
  /** Types that it can select. */
  readonly types: readonly string[];
  readonly expression: Expression;
}

/** How selected events become detections. */
export interface Correlation {
  /** `single`: every selected event counts. */
  readonly type: 'single' | 'event_count' | 'value_count' | 'temporal' | 'temporal_ordered';
  /** The fields that separate groups, of each selection in the order of the selections. */
  readonly groupBy: readonly (readonly EventField[])[];
  /** Their names, as messages show them. */
  readonly groupNames: readonly string[];
  /** Evidence counts together for so long, seconds of event time. */
  readonly timespan: number;
  /** So many events, values or selections fire. */
  readonly need: number;
  /** Of `value_count`. */
  readonly valueField: EventField | undefined;
}

/** A rule that a user wrote, read and checked. */
export interface UserRule {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly severity: Severity;
  readonly attack: readonly Attack[];
  readonly falsePositives: readonly string[];
  readonly selections: readonly Selection[];
  readonly correlation: Correlation;
  /** A detection ends after so long without evidence, seconds of event time. */
  readonly quiet: number;
  /** Bound of the states of its expressions, as checked. */
  readonly maxStates: number;
  readonly cases: readonly RuleCase[];
  /** SHA-256 of the source: what distinguishes two versions. */
  readonly sha256: string;
}
