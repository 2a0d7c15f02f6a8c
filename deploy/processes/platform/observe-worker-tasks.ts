import { Gauge, type Registry } from 'prom-client';
import { workerTaskTotals } from '#api/executions/worker-tasks/queues.ts';
import type { Database } from '#api/postgres/database.ts';
import { refreshed } from '../refreshed.ts';

const REFRESH_MS = 10_000;

/**
 * Exports tasks of external workers over the whole installation. Queues are named by users, so they are not labels; GET
 * /api/worker-queues lists them.
 */
export function observeWorkerTasks(registry: Registry, database: Database): void {
  const totals = refreshed({ everyMs: REFRESH_MS }, () => workerTaskTotals(database));
  const registers = [registry];
  new Gauge({
    name: 'trapline_worker_tasks',
    help: 'Tasks for external workers that wait or are leased.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      const all = await totals();
      this.reset();
      for (const { state, tasks } of all) this.set({ state }, tasks);
    },
  });
  new Gauge({
    name: 'trapline_worker_tasks_oldest_seconds',
    help: 'How long the oldest waiting task has waited for an external worker; 0 if none waits.',
    registers,
    async collect() {
      const waiting = (await totals()).find(({ state }) => state === 'waiting');
      this.set(waiting?.oldestSeconds ?? 0);
    },
  });
}
