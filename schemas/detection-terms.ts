/** The words of the detection contract. No dependencies: the console imports this file alone. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export const DETECTION_STATUSES = ['new', 'acknowledged', 'closed'] as const;
export const VERDICTS = ['true_positive', 'false_positive', 'benign'] as const;

/** How the id of a rule is written. Which rules there are the catalogue says (`GET /api/rules`): the contract does not change with them. */
export const RULE_ID_PATTERN = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

export type Severity = (typeof SEVERITIES)[number];
