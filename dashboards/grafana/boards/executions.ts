import { board } from '../board.ts';
import { figure, lines, table } from '../panels.ts';
import { of, overTime, promql, quantile, rate, rows } from '../queries.ts';

const START = 'trapline_execution_start_seconds';
const STEP = 'trapline_step_duration_seconds';
/** Every process that serves the API reports the queue of the whole installation. */
const PENDING = `max by (job, kind) (${of('trapline_executions_pending')})`;
const ROUTES = "startsWith(route, '/api/v1/')";

/** Workflows and agents: start delay, results, and duration of steps. */
export const executions = board({
  uid: 'trapline-executions',
  title: 'Executions',
  description: 'Runs of workflows and agents: queue, results, duration of steps, callers.',
  from: 'now-6h',
  rows: [
    {
      title: 'Now',
      panels: [
        figure({
          title: 'Waiting',
          description: 'Executions that are ready and that no worker has leased.',
          limits: { warning: 100, bad: 1_000 },
          queries: [promql(`sum(${PENDING})`, 'waiting')],
        }),
        figure({
          title: 'Longest wait',
          unit: 's',
          limits: { warning: 30, bad: 300 },
          queries: [promql(`max(${of('trapline_executions_pending_seconds')})`, 'wait')],
        }),
        figure({
          title: 'Finished in the last hour',
          queries: [promql(`sum(increase(${of('trapline_executions_total')}[1h]))`, 'finished')],
        }),
        figure({
          title: 'Failed in the last hour',
          limits: { warning: 1, bad: 50 },
          queries: [promql(`sum(increase(${of('trapline_executions_total', 'status="failed"')}[1h]))`, 'failed')],
        }),
        figure({
          title: 'Start delay, p99',
          description: 'From the acceptance of an execution to its first step.',
          unit: 's',
          limits: { warning: 1, bad: 10 },
          queries: [quantile(0.99, START)],
        }),
        figure({
          title: 'Steps',
          unit: 'ops',
          queries: [promql(`sum(${rate(`${STEP}_count`)})`, 'steps')],
        }),
      ],
    },
    {
      title: 'Over time',
      panels: [
        lines({
          title: 'Finished, by kind and status',
          unit: 'ops',
          stacked: true,
          queries: [promql(`sum by (kind, status) (${rate('trapline_executions_total')})`, '{{kind}} {{status}}')],
        }),
        lines({
          title: 'Waiting for a worker',
          queries: [promql(`sum by (kind) (${PENDING})`, '{{kind}}')],
        }),
        lines({
          title: 'Longest wait, by kind',
          unit: 's',
          limits: { bad: 300 },
          queries: [promql(`max by (kind) (${of('trapline_executions_pending_seconds')})`, '{{kind}}')],
        }),
        lines({
          title: 'Start delay',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((share) => quantile(share, START)),
        }),
        lines({
          title: 'Duration of steps with external effects',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((share) => quantile(share, STEP)),
        }),
        lines({
          title: 'Requests for workflows and agents',
          stacked: true,
          queries: [
            overTime(
              `SELECT $__timeInterval(time) AS at, concat(method, ' ', route) AS request, count() AS requests
FROM api_requests WHERE $__timeFilter(time) AND ${ROUTES} GROUP BY at, request ORDER BY at`,
            ),
          ],
        }),
        table({
          title: 'Callers of workflows and agents',
          queries: [
            rows(
              `SELECT actor, method, route, count() AS requests, countIf(status >= 400) AS failed,
  round(quantile(0.95)(duration_us) / 1000, 1) AS p95_ms, max(time) AS last
FROM api_requests WHERE $__timeFilter(time) AND ${ROUTES}
GROUP BY actor, method, route ORDER BY requests DESC, actor, method, route LIMIT 100`,
            ),
          ],
        }),
      ],
    },
  ],
});
