import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { summariseDetections } from '#analytics/clickhouse/read-models/detection-summary.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { FILTER_SHAPES, withoutUndefined } from '#api/http/queries/list-query.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { bucketsJson, bucketsOf, withTime } from '#api/telemetry/dashboard/time-range.ts';
import { summaryShape } from '#schemas/api/activity.ts';
import { summaryOptions } from './summary-options.ts';

const { from: _, to: __, ...filters } = FILTER_SHAPES.detections;

/** GET /api/detections/summary: counts over time, by rule, severity, state, verdict, host and program. */
export function detectionSummaryRoute(app: ApiServer, clickhouse: ClickHouse): void {
  app.get(
    '/api/detections/summary',
    summaryOptions({
      operationId: 'summarizeDetections',
      summary: 'Count detections',
      description:
        'Counts of detections by the time of their latest evidence: over time, and by rule, severity, state, verdict, host and program.',
      filters,
      shape: summaryShape,
    }),
    async (request) => {
      const { from, to, ...chosen } = request.query;
      const buckets = bucketsOf({ from, to }, Date.now());
      const { series, rules, severities, statuses, verdicts, hosts, programs, ...totals } = await summariseDetections(
        clickhouse,
        buckets,
        withoutUndefined(chosen),
      ).catch(refuseQuery);
      return {
        ...bucketsJson(buckets),
        ...totals,
        series: series.map(withTime),
        // Null only for nullable columns; see the schemas.
        rules: rules.map(({ rule, ...counts }) => ({ rule: rule ?? '', ...counts })),
        severities: severities.map(({ severity, ...counts }) => ({ severity: severity ?? '', ...counts })),
        statuses: statuses.map(({ status, ...counts }) => ({ status: status ?? '', ...counts })),
        verdicts: [...verdicts],
        hosts: [...hosts],
        programs: [...programs],
      };
    },
  );
}
