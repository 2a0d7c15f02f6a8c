/** Constants of the detection contract. No dependencies, because the console imports this file. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export const DETECTION_STATUSES = ['new', 'acknowledged', 'closed'] as const;
export const VERDICTS = ['true_positive', 'false_positive', 'benign'] as const;

/** Format of a rule id. The catalogue (`GET /api/rules`) lists the rules; a new rule does not change the contract. */
export const RULE_ID_PATTERN = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

export type Severity = (typeof SEVERITIES)[number];
