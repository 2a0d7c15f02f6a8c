import { Gauge, type Registry } from 'prom-client';
import { queueState } from '#api/executions/store/queue-state.ts';
import type { Database } from '#api/postgres/database.ts';
import { refreshed } from '../refreshed.ts';

const REFRESH_MS = 10_000;

/**
 * Exports how long executions wait for a worker, over the whole installation. API processes report it, because it must
 * be visible without a worker.
 */
export function observeExecutionQueue(registry: Registry, database: Database): void {
  const queue = refreshed({ everyMs: REFRESH_MS }, () => queueState(database));
  const registers = [registry];
  const labelNames = ['kind'] as const;
  new Gauge({
    name: 'trapline_executions_pending',
    help: 'Executions that are ready to run and not yet claimed by a worker.',
    labelNames,
    registers,
    async collect() {
      const all = await queue();
      this.reset();
      for (const { kind, pending } of all) this.set({ kind }, pending);
    },
  });
  new Gauge({
    name: 'trapline_executions_pending_seconds',
    help: 'Waiting time of the oldest execution that is ready to run; 0 if none waits.',
    labelNames,
    registers,
    async collect() {
      const all = await queue();
      this.reset();
      for (const { kind, oldestSeconds } of all) this.set({ kind }, oldestSeconds);
    },
  });
}
