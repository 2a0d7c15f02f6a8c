import { Counter, Histogram, type Registry } from 'prom-client';
import type { ExecutionWorkerDeps } from '#api/executions/engine/worker/worker.ts';
import type { LiveFeed } from '#api/telemetry/live-feed/live-feed.ts';
import { TERMINAL_STATUSES } from '#schemas/api/execution-status.ts';

const KINDS = ['workflow', 'agent'] as const;
const TERMINAL: ReadonlySet<string> = new Set(TERMINAL_STATUSES);

/** Counts executions, and sends each status written by a worker to the live feed. */
export function observeExecutions({
  registry,
  feed,
}: {
  readonly registry: Registry;
  readonly feed: Pick<LiveFeed, 'publish'>;
}): Pick<ExecutionWorkerDeps, 'onTransition' | 'onStepEnded'> {
  const total = new Counter({
    name: 'trapline_executions_total',
    help: 'Executions that have ended, by kind and status',
    labelNames: ['kind', 'status'],
    registers: [registry],
  });
  // Starts each counter at 0, because `increase()` does not see the first increment of a new counter.
  for (const kind of KINDS) for (const status of TERMINAL_STATUSES) total.inc({ kind, status }, 0);
  const start = new Histogram({
    name: 'trapline_execution_start_seconds',
    help: 'Time from the acceptance of an execution to its first step',
    buckets: [0.005, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60],
    registers: [registry],
  });
  const steps = new Histogram({
    name: 'trapline_step_duration_seconds',
    help: 'Duration of the steps of executions that have effects outside',
    buckets: [0.005, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 60],
    registers: [registry],
  });
  return {
    onTransition({ executionId, kind, status, queuedMs }) {
      if (queuedMs !== undefined) start.observe(queuedMs / 1000);
      if (TERMINAL.has(status)) total.inc({ kind, status });
      feed.publish({ type: 'execution', at: new Date().toISOString(), id: executionId, kind, status });
    },
    onStepEnded: (seconds) => steps.observe(seconds),
  };
}
