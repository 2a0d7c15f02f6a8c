import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import type { SystemSamples } from '../system-samples.ts';
import { atShape, withTime } from '../time-range.ts';
import { count, dashboardRoute } from './dashboard.ts';

const percent = (what: string) => z.number().min(0).describe(what).meta({ example: 12.5 });

/** GET /api/dashboard/system: samples of the responding process, at most of the last 24 hours. */
export function systemDashboard(app: ApiServer, { samples }: { readonly samples: SystemSamples }): void {
  dashboardRoute(
    app,
    'system',
    {
      operationId: 'getSystemDashboard',
      summary: 'This process over time',
      description:
        'CPU and memory of the responding process, sampled twice a minute for up to a day. For all processes, see the metrics.',
      shape: {
        uptimeSeconds: count('since the process started'),
        series: z.array(
          z.object({
            at: atShape.describe('time of the sample'),
            cpuPercent: percent('of one core'),
            memoryBytes: count('resident'),
            heapUsedBytes: count('of JavaScript'),
            eventLoopPercent: percent('of the time the event loop was busy'),
          }),
        ),
      },
    },
    async ({ fromMs, toMs }) => ({
      uptimeSeconds: Math.floor(process.uptime()),
      series: samples.between(fromMs, toMs).map(withTime),
    }),
  );
}
