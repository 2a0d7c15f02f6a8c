import type { RULE_NAMES_TEXT } from './rule-names-text.ts';

/** Ids of the rules that Trapline ships with. */
export type ShippedRule = keyof typeof RULE_NAMES_TEXT;

/** What a rule fires on, and what an analyst does then. The steps may contain code between backticks. */
export interface RuleGuidance {
  readonly summary: string;
  readonly nextChecks: readonly string[];
  readonly falsePositives: readonly string[];
}
