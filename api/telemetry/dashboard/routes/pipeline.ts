import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import {
  deadLetterCodes,
  detectionsByRule,
  pipelineOverTime,
} from '#analytics/clickhouse/read-models/pipeline-statistics.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { atShape, withTime } from '../time-range.ts';
import { count, dashboardRoute } from './dashboard.ts';

const shape = {
  totals: z.object({
    events: count('accepted'),
    deadLetters: count('rejected'),
    detections: count('new or grown'),
  }),
  series: z.array(
    z.object({
      at: atShape,
      events: count('accepted'),
      deadLetters: count('rejected'),
      detections: count('new, or last grown in this bucket'),
    }),
  ),
  codes: z
    .array(
      z.object({
        code: z.string().describe('rejection reason').meta({ example: 'malformed_json' }),
        deadLetters: count('rejected for this reason'),
      }),
    )
    .describe('most frequent first'),
  rules: z
    .array(
      z.object({
        rule: z.string().describe('rule id').meta({ example: 'stack-canary-probe' }),
        severity: z.string().describe('severity of its detections').meta({ example: 'high' }),
        detections: count('new or grown'),
      }),
    )
    .describe('most frequent first'),
};

/** GET /api/dashboard/pipeline: received records and their outcomes, by time of arrival. */
export function pipelineDashboard(app: ApiServer, { clickhouse }: { readonly clickhouse: ClickHouse }): void {
  const description = 'Events, dead letters and detections over time, by time of receipt.';
  dashboardRoute(
    app,
    'pipeline',
    { operationId: 'getPipelineDashboard', summary: 'Pipeline over time', description, shape },
    async (buckets) => {
      const [series, codes, rules] = await Promise.all([
        pipelineOverTime(clickhouse, buckets),
        deadLetterCodes(clickhouse, buckets),
        detectionsByRule(clickhouse, buckets),
      ]);
      return {
        totals: {
          events: series.reduce((sum, { events }) => sum + events, 0),
          deadLetters: series.reduce((sum, { deadLetters }) => sum + deadLetters, 0),
          detections: rules.reduce((sum, { detections }) => sum + detections, 0),
        },
        series: series.map(withTime),
        codes,
        rules,
      };
    },
  );
}
