import type { Span } from '../alerts/burn-rate.ts';
import { ERROR_BUDGET, errorRatio } from '../alerts/error-budget.ts';
import {
  LATE_DELIVERIES_BUDGET,
  LATE_DETECTIONS_BUDGET,
  lateDeliveries,
  lateDetections,
} from '../alerts/timeliness.ts';
import { board } from '../board.ts';
import { figure, lines, type NumberedPanel } from '../panels.ts';
import { of, promql, quantile, rate } from '../queries.ts';

const DELAY = 'trapline_detection_delay_seconds';
const DELIVERY = 'trapline_output_delivery_seconds';
const SHOWN: readonly Span[] = ['1h', '6h', '3d'];

/** Prometheus records no share for 30 days. Three days are a tenth of the period. */
const spent = (ratio: (span: Span) => string, budget: number) =>
  promql(`max(${of(ratio('3d'))}) / ${budget} * 3 / 30`, 'spent');

function budgetLeft(title: string, ratio: (span: Span) => string, budget: number): NumberedPanel {
  return figure({
    title,
    description: `Share of the 30-day budget (${budget * 100} %). Three days may use a tenth.`,
    unit: 'percentunit',
    width: 8,
    limits: { warning: 0.1, bad: 0.5 },
    queries: [spent(ratio, budget)],
  });
}

function shares(title: string, ratio: (span: Span) => string, budget: number): NumberedPanel {
  return lines({
    title,
    description: 'If the share stays above the dashed line, the 30-day budget is used up early.',
    unit: 'percentunit',
    width: 8,
    limits: { bad: budget },
    queries: SHOWN.map((span) => promql(`max(${of(ratio(span))})`, span)),
  });
}

/** Service level objectives: their state, the rest of their budgets, and the failures that used them. */
export const serviceLevels = board({
  uid: 'trapline-service-levels',
  title: 'Service levels',
  description:
    'Three objectives over 30 days: 99.9 % of requests are answered, 99 % of detections are stored within a minute of their evidence, 99 % of messages reach their receivers within five minutes.',
  from: 'now-7d',
  rows: [
    {
      title: 'Budgets',
      panels: [
        budgetLeft('Requests: budget spent in three days', errorRatio, ERROR_BUDGET),
        budgetLeft('Detections: budget spent in three days', lateDetections, LATE_DETECTIONS_BUDGET),
        budgetLeft('Deliveries: budget spent in three days', lateDeliveries, LATE_DELIVERIES_BUDGET),
        shares('Failed requests', errorRatio, ERROR_BUDGET),
        shares('Late detections', lateDetections, LATE_DETECTIONS_BUDGET),
        shares('Late deliveries', lateDeliveries, LATE_DELIVERIES_BUDGET),
      ],
    },
    {
      title: 'Delays',
      panels: [
        lines({
          title: 'Detection delay',
          description:
            'From the last evidence (clock of its host) to the storage of the detection. Dots link to traces.',
          unit: 's',
          limits: { bad: 60 },
          queries: [0.5, 0.95, 0.99].map((share) => quantile(share, DELAY)),
        }),
        lines({
          title: 'Deliveries by output, p95',
          unit: 's',
          limits: { bad: 300 },
          queries: [promql(`histogram_quantile(0.95, sum by (le, type) (${rate(`${DELIVERY}_bucket`)}))`, '{{type}}')],
        }),
      ],
    },
  ],
});
