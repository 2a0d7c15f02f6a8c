import type { Alert, Recorded, RuleGroup } from './rule.ts';

/** The share of requests that may fail: 99.9 % over 30 days are to be answered. */
export const ERROR_BUDGET = 0.001;

type Span = '5m' | '30m' | '1h' | '2h' | '6h' | '1d' | '3d';
const SPANS: readonly Span[] = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'];

/** The recorded share of requests that failed within the span. */
export const errorRatio = (span: Span): string => `job:trapline_http_errors:ratio_rate${span}`;

const REQUESTS = 'trapline_http_request_duration_seconds_count';
/** Asked by machines about our state: readiness answers 503 when it should. */
const NO_PROBES = 'route!~"/healthz|/readyz|/metrics|/api/health|/api/prometheus"';
/** Failures of Trapline. 502 and 504 mean that a service behind a scraper failed, 501 that a feature is not configured. */
const OURS = `status=~"500|503", ${NO_PROBES}`;
/** One failure of ten requests at night is no emergency. */
const FEWEST_FAILURES = 10;

/** A long span says that it matters, the short one that it goes on, so that the alert ends soon after the failures. */
interface Burn {
  /** How many times faster than the budget allows. */
  readonly times: number;
  readonly long: Span;
  readonly short: Span;
}

/** 2 % of the budget in an hour, 5 % in six. */
const FAST: readonly Burn[] = [
  { times: 14.4, long: '1h', short: '5m' },
  { times: 6, long: '6h', short: '30m' },
];
/** 10 % of it in a day, and all of it if the month goes on like these three days. */
const SLOW: readonly Burn[] = [
  { times: 3, long: '1d', short: '2h' },
  { times: 1, long: '3d', short: '6h' },
];

function recorded(span: Span): Recorded {
  const total = `sum by (job) (rate(${REQUESTS}{${NO_PROBES}}[${span}]))`;
  // Failures that never happened have no series: then the share is 0, not unknown.
  const failed = `(sum by (job) (rate(${REQUESTS}{${OURS}}[${span}])) or 0 * ${total})`;
  return { record: errorRatio(span), expr: `${failed} / ${total}` };
}

function burning(burns: readonly Burn[]): string {
  return burns
    .map(({ times, long, short }) => {
      const limit = `> ${times} * ${ERROR_BUDGET}`;
      const enough = `sum by (job) (increase(${REQUESTS}{${OURS}}[${long}])) >= ${FEWEST_FAILURES}`;
      return `(${errorRatio(long)} ${limit} and ${errorRatio(short)} ${limit} and ${enough})`;
    })
    .join(' or ');
}

const fast: Alert = {
  alert: 'TraplineErrorBudgetBurnsFast',
  expr: burning(FAST),
  for: '2m',
  urgency: 'page',
  summary: 'The API of {{ $labels.job }} fails {{ $value | humanizePercentage }} of its requests',
  description:
    'At this rate the error budget of 30 days (0.1 % of requests) is spent within two to five days. Senders retry; analysts cannot work.',
};

const slow: Alert = {
  alert: 'TraplineErrorBudgetBurnsSlowly',
  expr: burning(SLOW),
  for: '15m',
  urgency: 'ticket',
  summary: 'The API of {{ $labels.job }} has been failing {{ $value | humanizePercentage }} of its requests for long',
  description:
    'The error budget of 30 days (0.1 % of requests) will not last. Nothing is broken all the time, something is again and again.',
};

export const errorBudget: readonly RuleGroup[] = [
  { name: 'trapline-error-budget-shares', rules: SPANS.map(recorded) },
  { name: 'trapline-error-budget', rules: [fast, slow] },
];
