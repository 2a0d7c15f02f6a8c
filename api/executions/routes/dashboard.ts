import { z } from 'zod';
import { bucketStarts } from '#analytics/clickhouse/read-models/buckets.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import type { Database } from '#api/postgres/database.ts';
import { count, dashboardRoute } from '#api/telemetry/dashboard/routes/dashboard.ts';
import { atShape, withTime } from '#api/telemetry/dashboard/time-range.ts';
import { executionsOverTime } from '../store/over-time.ts';

const KINDS = ['workflow', 'agent'] as const;

/** GET /api/dashboard/executions: figures from the table of executions. */
export function executionsDashboard(app: ApiServer, { database }: { readonly database: Database }): void {
  dashboardRoute(
    app,
    'executions',
    {
      operationId: 'getExecutionDashboard',
      summary: 'Executions over time',
      description:
        'Numbers of accepted executions of workflows and agents, and of their outcomes. Executions deleted by retention are not counted.',
      shape: {
        kinds: z.array(
          z.object({
            kind: z.enum(KINDS),
            series: z.array(
              z.object({
                at: atShape,
                accepted: count('accepted in this bucket'),
                completed: count('completed in this bucket'),
                failed: count('failed or rejected in this bucket'),
                cancelled: count('cancelled in this bucket'),
              }),
            ),
          }),
        ),
      },
    },
    async (buckets) => {
      const rows = await executionsOverTime(database, buckets);
      const kinds = KINDS.map((kind) => {
        const byTime = new Map(rows.filter((row) => row.kind === kind).map((row) => [row.atMs, row]));
        const series = bucketStarts(buckets).map((atMs) => {
          const { accepted = 0, completed = 0, failed = 0, cancelled = 0 } = byTime.get(atMs) ?? {};
          return withTime({ atMs, accepted, completed, failed, cancelled });
        });
        return { kind, series };
      });
      return { kinds };
    },
  );
}
