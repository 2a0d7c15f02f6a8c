/** The closed sets of words that detections are told with; free of dependencies, so that browsers load nothing else for them. */
export const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;
export const DETECTION_STATUSES = ['new', 'acknowledged', 'closed'] as const;
export const VERDICTS = ['true_positive', 'false_positive', 'benign'] as const;
export const RULE_IDS = [
  'instruction-pointer-probe',
  'register-value-probe',
  'stack-canary-probe',
  'suppressed-crash-burst',
  'detector-tampering',
] as const;

export type RuleId = (typeof RULE_IDS)[number];
export type Severity = (typeof SEVERITIES)[number];
