import type { z } from 'zod';
import type { Attack, RuleId, Severity } from '#schemas/detection.ts';

/** What an analyst does with a detection of the rule. */
export interface Runbook {
  /** In the order in which they are worth doing. */
  readonly nextChecks: readonly string[];
  /** What usually looks like this and is not an attack, and how to tell. */
  readonly falsePositives: readonly string[];
}

/**
 * Everything about a rule but its decision, which is a pure function in the same file. `version` grows when the same evidence
 * would be judged differently; the id never changes.
 */
export interface RuleMetadata<Thresholds extends z.ZodType = z.ZodType> {
  readonly id: RuleId;
  readonly version: number;
  readonly name: string;
  readonly severity: Severity;
  /** `register` of its detections: the names it can take; empty when it has none. */
  readonly registers: readonly string[];
  readonly attack: readonly Attack[];
  readonly summary: string;
  readonly runbook: Runbook;
  /** Operator settings with their defaults; times in seconds of event time. */
  readonly thresholds: Thresholds;
}

/** Gives a rule's metadata its exact type. */
export function defineRule<Thresholds extends z.ZodType>(metadata: RuleMetadata<Thresholds>): RuleMetadata<Thresholds> {
  return metadata;
}
