import { z } from 'zod';
import { bucketStarts } from '#analytics/clickhouse/read-models/buckets.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { jobsOverTime } from '#api/jobs/tables/job-statistics.ts';
import { queueDepths } from '#api/jobs/tables/jobs.ts';
import type { Database } from '#api/postgres/database.ts';
import { atShape, withTime } from '../time-range.ts';
import { count, dashboardRoute } from './dashboard.ts';

const queueName = z.string().describe('name of the queue').meta({ example: 'mail' });
const counts = {
  started: count('queued in this bucket'),
  done: count('completed in this bucket'),
  failed: count('failed permanently in this bucket'),
};

/** GET /api/dashboard/queue: figures from the table of jobs. */
export function queueDashboard(app: ApiServer, { database }: { readonly database: Database }): void {
  dashboardRoute(
    app,
    'queue',
    {
      operationId: 'getQueueDashboard',
      summary: 'Queues of background work',
      description: 'Waiting jobs, and completed jobs over time. Completed jobs are kept for some days only.',
      shape: {
        queues: z
          .array(
            z.object({
              queue: queueName,
              ready: count('due but not started'),
              scheduled: count('scheduled for later'),
              running: count('running'),
              done: count('completed in the last 24 hours'),
              failed: count('failed permanently in the last 24 hours'),
              oldestReadyMs: count('waiting time of the oldest due job, ms'),
            }),
          )
          .describe('now'),
        series: z.array(z.object({ at: atShape, ...counts })).describe('all queues combined'),
      },
    },
    async (buckets) => {
      const [queues, rows] = await Promise.all([queueDepths(database), jobsOverTime(database, buckets)]);
      const byTime = Map.groupBy(rows, ({ atMs }) => atMs);
      const series = bucketStarts(buckets).map((atMs) => {
        const sum = (of: 'started' | 'done' | 'failed') =>
          (byTime.get(atMs) ?? []).reduce((all, row) => all + row[of], 0);
        return withTime({ atMs, started: sum('started'), done: sum('done'), failed: sum('failed') });
      });
      return { queues, series };
    },
  );
}
