import type { RULE_NAMES_TEXT } from './rule-names-text.ts';

/** Ids of the shipped rules. */
export type ShippedRule = keyof typeof RULE_NAMES_TEXT;

/** Conditions of a rule, and instructions for analysts. The steps may contain code between backticks. */
export interface RuleGuidance {
  readonly summary: string;
  readonly nextChecks: readonly string[];
  readonly falsePositives: readonly string[];
}
