import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { summariseDetections } from '#analytics/clickhouse/read-models/detection-summary.ts';
import { summaryShape } from '#schemas/api/activity.ts';
import { bucketsOf, bucketsShape, bucketsTold, timeRangeQuery, withTime } from '../../dashboard/time-range.ts';
import type { ApiServer } from '../../http/api-server.ts';
import { errorResponses } from '../../http/error-responses.ts';
import { FILTER_SHAPES, withoutUndefined } from '../../http/list-query.ts';
import { refuseQuery } from '../../http/refuse-query.ts';

const { from: _, to: __, ...filterShapes } = FILTER_SHAPES.detections;

/** GET /api/detections/summary: counts over time, by rule, severity, state, verdict, host and program. */
export function detectionSummaryRoute(app: ApiServer, clickhouse: ClickHouse): void {
  app.get(
    '/api/detections/summary',
    {
      config: { access: { by: 'key-or-session', scope: 'detections:read' } },
      schema: {
        summary: 'Count detections',
        description:
          'Detections by their latest evidence: over time, by rule, severity, state, verdict, host and program. The range is widened to whole buckets; the filters are those of the list.',
        tags: ['detection service'],
        querystring: z.strictObject({ ...timeRangeQuery.shape, ...filterShapes }),
        response: {
          200: z.object({ ...bucketsShape, ...summaryShape }).describe('The counts.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async (request) => {
      const { from, to, ...filters } = request.query;
      const buckets = bucketsOf({ from, to }, Date.now());
      const { series, rules, severities, statuses, verdicts, hosts, programs, ...totals } = await summariseDetections(
        clickhouse,
        buckets,
        withoutUndefined(filters),
      ).catch(refuseQuery);
      return {
        ...bucketsTold(buckets),
        ...totals,
        series: series.map(withTime),
        // Null only where the column can be: the schemas say where.
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
