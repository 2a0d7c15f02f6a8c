import { burning, FAST, type Objective, recordedShares, SLOW, type Span } from './burn-rate.ts';
import type { Alert, RuleGroup } from './rule.ts';

/** Share of detections that may be late: 99 % are stored within a minute of their last evidence, over 30 days. */
export const LATE_DETECTIONS_BUDGET = 0.01;
/** Share of messages that may be late: 99 % reach their receivers within five minutes, over 30 days. */
export const LATE_DELIVERIES_BUDGET = 0.01;

export const lateDetections = (span: Span): string => `job:trapline_detections_late:ratio_rate${span}`;
export const lateDeliveries = (span: Span): string => `job:trapline_deliveries_late:ratio_rate${span}`;

/**
 * Counts observations of a histogram above one of its buckets. Prometheus 3 writes the bound of a bucket with a decimal
 * place.
 */
function above(histogram: string, bucket: string): Pick<Objective, 'total' | 'failed'> {
  const total: Objective['total'] = (read, span) => `sum by (job) (${read}(${histogram}_count[${span}]))`;
  return {
    total,
    failed: (read, span) =>
      `(${total(read, span)} - sum by (job) (${read}(${histogram}_bucket{le=~"${bucket}(.0)?"}[${span}])))`,
  };
}

const detections: Objective = {
  budget: LATE_DETECTIONS_BUDGET,
  ratio: lateDetections,
  ...above('trapline_detection_delay_seconds', '60'),
  minFailures: 5,
};

const deliveries: Objective = {
  budget: LATE_DELIVERIES_BUDGET,
  ratio: lateDeliveries,
  ...above('trapline_output_delivery_seconds', '300'),
  minFailures: 5,
};

const detectionsFast: Alert = {
  alert: 'TraplineDetectionsLateFast',
  expr: burning(detections, FAST),
  for: '2m',
  urgency: 'page',
  summary: '{{ $value | humanizePercentage }} of the detections of {{ $labels.job }} are more than a minute late',
  description:
    'At this rate, the budget of 30 days (1 % of detections) is used up within two to five days. Analysts and workflows are notified of attacks late.',
};

const detectionsSlow: Alert = {
  alert: 'TraplineDetectionsLateSlowly',
  expr: burning(detections, SLOW),
  for: '15m',
  urgency: 'ticket',
  summary: '{{ $value | humanizePercentage }} of the detections of {{ $labels.job }} have been late for hours',
  description:
    'At this rate, the budget of 30 days (1 % of detections later than a minute) is not enough. Often, only some hosts are late: their clocks are slow, or their detectors were offline.',
};

const deliveriesFast: Alert = {
  alert: 'TraplineDeliveriesLateFast',
  expr: burning(deliveries, FAST),
  for: '2m',
  urgency: 'page',
  summary: '{{ $value | humanizePercentage }} of the messages of {{ $labels.job }} reach their receivers late',
  description:
    'At this rate, the budget of 30 days (1 % of messages later than five minutes) is used up within two to five days. On-call systems are notified of detections late.',
};

const deliveriesSlow: Alert = {
  alert: 'TraplineDeliveriesLateSlowly',
  expr: burning(deliveries, SLOW),
  for: '15m',
  urgency: 'ticket',
  summary: '{{ $value | humanizePercentage }} of the messages of {{ $labels.job }} have been late for hours',
  description:
    'At this rate, the budget of 30 days (1 % of messages later than five minutes) is not enough. Usually, one receiver is repeatedly unavailable.',
};

export const timeliness: readonly RuleGroup[] = [
  { name: 'trapline-timeliness-shares', rules: [...recordedShares(detections), ...recordedShares(deliveries)] },
  { name: 'trapline-timeliness', rules: [detectionsFast, detectionsSlow, deliveriesFast, deliveriesSlow] },
];
