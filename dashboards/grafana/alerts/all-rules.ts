import { detectors } from './detectors.ts';
import { errorBudget } from './error-budget.ts';
import { handingOn } from './handing-on.ts';
import { ingest } from './ingest.ts';
import { processes } from './processes.ts';
import type { Alert, RuleGroup } from './rule.ts';
import { storage } from './storage.ts';
import { timeliness } from './timeliness.ts';

/**
 * In the order of the rule file. A new alert needs a line in one of these groups, a runbook with its name, and cases in
 * the tests.
 */
export const RULE_GROUPS: readonly RuleGroup[] = [
  ...errorBudget,
  ...timeliness,
  ingest,
  storage,
  detectors,
  handingOn,
  processes,
];

export const ALERTS: readonly Alert[] = RULE_GROUPS.flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
