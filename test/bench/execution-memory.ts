import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pino from 'pino';
import { PENDING } from '#api/executions/engine/follow-ups.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { startPostgres } from '../support/services/postgres.ts';
import { ended, enqueue } from './execution-queue.ts';
import { all, startWorker } from './execution-workers.ts';
import { currentMemoryMiB } from './processes.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median } from './statistics.ts';

const ENGINE = fileURLToPath(new URL('executions-process.ts', import.meta.url));
const MINUTES = 10;
/** Warm-up at the start, excluded from the growth: code is compiled, and the heap reaches its size. */
const WARM_UP_MINUTES = 4;
const TURN_MS = 5_000;
/** Of each workload: up to 100 runs per second, fewer if a round takes longer. */
const RUNS_OF_A_TURN = 250;

/** Memory of a worker under a steady load for ten minutes, and its growth per hour by the slope of the last six. */
export async function benchExecutionMemory(): Promise<BenchRow[]> {
  const postgres = await startPostgres();
  const database = createDatabase({ url: postgres.url, connections: 4 });
  const worker = startWorker(ENGINE, postgres.url);
  try {
    await migrateDatabase(database);
    const wakeUp = createWakeUp({ database, logger: pino({ level: 'silent' }) });
    await all([worker], 'start');
    const readings: { readonly hours: number; readonly mebibytes: number }[] = [];
    const begun = performance.now();
    for (let turn = 0; performance.now() - begun < MINUTES * 60_000; turn += 1) {
      await enqueue(database, RUNS_OF_A_TURN, 'three');
      await enqueue(database, RUNS_OF_A_TURN, 'ten');
      wakeUp(PENDING);
      await pause(Math.max(0, begun + (turn + 1) * TURN_MS - performance.now()));
      await ended(database);
      // Deletes the rows as retention does, so that the tables stay small.
      await sql`TRUNCATE executions, execution_steps, execution_changes CASCADE`.execute(database);
      const minutes = (performance.now() - begun) / 60_000;
      readings.push({ hours: minutes / 60, mebibytes: currentMemoryMiB(worker.child.pid ?? 0) });
    }
    const warm = readings.filter(({ hours }) => hours * 60 > WARM_UP_MINUTES);
    const sizes = warm.map(({ mebibytes }) => mebibytes);
    return [
      boundRow('executions: memory of a worker under a steady load, median', 'MiB', median(sizes), null),
      {
        ...boundRow('executions: growth of that memory in an hour, by its slope', 'MiB', slopeOf(warm), 60),
        details: [
          `${Math.round((readings.length * 2 * RUNS_OF_A_TURN) / (MINUTES * 60))} runs/s; MiB by turn: ${readings.map(({ mebibytes }) => Math.round(mebibytes)).join(', ')}`,
        ],
      },
    ];
  } finally {
    worker.child.kill('SIGKILL');
    await database.destroy();
    await postgres.stop();
  }
}

/** Slope by least squares. */
function slopeOf(readings: readonly { readonly hours: number; readonly mebibytes: number }[]): number {
  const mean = (of: readonly number[]) => of.reduce((sum, value) => sum + value, 0) / of.length;
  const x = mean(readings.map(({ hours }) => hours));
  const y = mean(readings.map(({ mebibytes }) => mebibytes));
  const products = readings.reduce((sum, { hours, mebibytes }) => sum + (hours - x) * (mebibytes - y), 0);
  return products / readings.reduce((sum, { hours }) => sum + (hours - x) ** 2, 0);
}
