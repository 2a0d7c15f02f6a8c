import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pino from 'pino';
import { createExecutions, type Executions } from '#api/executions/engine/executions.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { startPostgres } from '../support/services/postgres.ts';
import type { BenchContext } from './context.ts';
import { latencies, newRun } from './execution-latencies.ts';
import { all, messageFrom, startWorker, type WorkerProcess } from './execution-workers.ts';
import { withBacklog } from './executions-backlog.ts';
import { compareSystems } from './executions-comparison.ts';
import { cpuSeconds } from './processes.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median } from './statistics.ts';

const ENGINE = fileURLToPath(new URL('executions-process.ts', import.meta.url));
const IDLE_MS = 10_000;

/**
 * Measures the executions engine: accept, start, steps, throughput, a long queue, recovery after a crash, cancel, and
 * idle.
 */
export async function benchExecutions({ rounds, progress }: BenchContext): Promise<BenchRow[]> {
  const postgres = await startPostgres();
  const database = createDatabase({ url: postgres.url, connections: 10 });
  const workers: WorkerProcess[] = [];
  const start = (file: string, url = postgres.url) => {
    const worker = startWorker(file, url);
    workers.push(worker);
    return worker;
  };
  try {
    await migrateDatabase(database);
    const logger = pino({ level: 'silent' });
    const executions = createExecutions({ database, logger, wakeUp: createWakeUp({ database, logger }) });
    const own = [start(ENGINE), start(ENGINE)];
    const rows = await latencies(database, executions, own);
    progress(`throughput (load ${loadavg()[0]?.toFixed(1)})`);
    rows.push(...(await compareSystems({ database, url: postgres.url, own, start, rounds, progress })));
    progress(`a long queue (load ${loadavg()[0]?.toFixed(1)})`);
    rows.push(await withBacklog({ database, workers: own }, { url: postgres.url, start, rounds }));
    rows.push(await cancels(executions, own));
    rows.push(await idle(database, own));
    rows.push(await takenOver(database, executions, own));
    return rows;
  } finally {
    for (const { child } of workers) child.kill('SIGKILL');
    await database.destroy();
    await postgres.stop();
  }
}

async function cancels(executions: Executions, own: readonly WorkerProcess[]): Promise<BenchRow> {
  await all(own, 'start');
  const times: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const answer = await executions.accept(newRun('hang'));
    if (answer.outcome === 'conflict') throw new Error('nothing to be in conflict with');
    await messageFrom(own, 'hangs', answer.id);
    const asked = performance.timeOrigin + performance.now();
    const [aborted] = await Promise.all([messageFrom(own, 'aborted', answer.id), executions.cancel(answer.id)]);
    times.push(aborted.at - asked);
  }
  return {
    ...boundRow('executions: cancel observed by the task in another process, longest', 'ms', Math.max(...times), 1_000),
    details: [`median ${median(times).toFixed(1)} ms of ${times.length}`],
  };
}

/** Measures the processor time of PostgreSQL while two workers are idle. */
async function idle(database: Database, own: readonly WorkerProcess[]): Promise<BenchRow> {
  await all(own, 'start');
  await pause(2_000);
  // Background processes of the server and processes of connections.
  const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity`.execute(database);
  const before = rows.map(({ pid }) => ({ pid, spent: cpuSeconds(pid) }));
  const begun = performance.now();
  await pause(IDLE_MS);
  // A process that has ended since then counts as 0.
  const seconds = before.reduce((sum, { pid, spent }) => sum + Math.max(0, cpuSeconds(pid) - spent), 0);
  const share = (seconds * 100_000) / (performance.now() - begun);
  return boundRow('executions: idle engine, processor time of PostgreSQL', '% of a core', share, 1);
}

async function takenOver(database: Database, executions: Executions, own: readonly WorkerProcess[]): Promise<BenchRow> {
  const answer = await executions.accept(newRun('hang'));
  if (answer.outcome === 'conflict') throw new Error('nothing to be in conflict with');
  const [first, second] = await Promise.race(
    own.map(async (worker, at) => {
      await messageFrom([worker], 'hangs', answer.id);
      return [worker, own[1 - at]] as const;
    }),
  );
  const again = messageFrom([second as WorkerProcess], 'hangs', answer.id);
  const killed = performance.timeOrigin + performance.now();
  first?.child.kill('SIGKILL');
  const seconds = ((await again).at - killed) / 1_000;
  await database.deleteFrom('executions').execute();
  return boundRow('executions: kill -9 of a worker to its execution going on elsewhere', 's', seconds, 15);
}
