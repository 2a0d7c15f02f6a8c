import { burning, FAST, type Objective, recordedShares, SLOW, type Span } from './burn-rate.ts';
import type { Alert, RuleGroup } from './rule.ts';

/** Share of requests that may fail: the objective is 99.9 % over 30 days. */
export const ERROR_BUDGET = 0.001;

/** Returns the name of the recorded share of failed requests in the time range. */
export const errorRatio = (span: Span): string => `job:trapline_http_errors:ratio_rate${span}`;

const REQUESTS = 'trapline_http_request_duration_seconds_count';
/** Excludes requests by monitoring systems. Readiness responds with 503 by design. */
const NO_PROBES = 'route!~"/healthz|/readyz|/metrics|/api/health|/api/prometheus|/api/status"';
/**
 * Failures of Trapline itself. 502 and 504 mean that a service behind a scraper failed, 501 that a feature is not
 * configured.
 */
const OURS = `status=~"500|503", ${NO_PROBES}`;

const answered: Objective = {
  budget: ERROR_BUDGET,
  ratio: errorRatio,
  total: (read, span) => `sum by (job) (${read}(${REQUESTS}{${NO_PROBES}}[${span}]))`,
  failed: (read, span) => `sum by (job) (${read}(${REQUESTS}{${OURS}}[${span}]))`,
  // One failure in ten requests at night must not cause an alert.
  minFailures: 10,
};

const fast: Alert = {
  alert: 'TraplineErrorBudgetBurnsFast',
  expr: burning(answered, FAST),
  for: '2m',
  urgency: 'page',
  summary: 'The API of {{ $labels.job }} fails {{ $value | humanizePercentage }} of its requests',
  description:
    'At this rate, the error budget of 30 days (0.1 % of requests) is used up within two to five days. Senders retry. Analysts cannot work.',
};

const slow: Alert = {
  alert: 'TraplineErrorBudgetBurnsSlowly',
  expr: burning(answered, SLOW),
  for: '15m',
  urgency: 'ticket',
  summary: 'The API of {{ $labels.job }} has failed {{ $value | humanizePercentage }} of its requests for hours',
  description:
    'At this rate, the error budget of 30 days (0.1 % of requests) is not enough. The cause is a recurring failure, not a permanent one.',
};

export const errorBudget: readonly RuleGroup[] = [
  { name: 'trapline-error-budget-shares', rules: recordedShares(answered) },
  { name: 'trapline-error-budget', rules: [fast, slow] },
];
