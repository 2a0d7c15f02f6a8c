import { sql } from 'kysely';
import { advanceExecutions } from '#api/executions/store/advance.ts';
import { claimExecutions } from '#api/executions/store/claim.ts';
import type { ExecutionWrite, StepWrite } from '#api/executions/store/execution-write.ts';
import type { ExecutionClaim } from '#api/executions/store/leases.ts';
import { createDatabase, type Database } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { nothingButWrite } from '../api/executions/engine/engine-fixture.ts';
import { startPostgres } from '../support/services/postgres.ts';
import type { BenchContext } from './context.ts';
import { enqueue } from './execution-queue.ts';
import { serverCpuSeconds } from './processes.ts';
import { type BenchRow, boundRow } from './row.ts';

const RUNS = 4_000;
const CLAIMED_AT_ONCE = 40;
/**
 * Executions per write. The first round warms up, the others write into tables with old row versions of earlier rounds.
 */
const BATCHES = [40, 40, 10, 100] as const;

/**
 * Processor time of PostgreSQL for the claims and the three writes of a run of three steps, by one connection and
 * without an engine.
 */
export async function benchExecutionStatements({ progress }: BenchContext): Promise<BenchRow[]> {
  const postgres = await startPostgres();
  const database = createDatabase({ url: postgres.url, connections: 1 });
  try {
    await migrateDatabase(database);
    const rows: BenchRow[] = [];
    for (const [round, batch] of BATCHES.entries()) {
      await enqueue(database, RUNS);
      await sql`CHECKPOINT`.execute(database);
      const claims: ExecutionClaim[] = [];
      const claimed = await microsecondsARun(database, async () => {
        while (claims.length < RUNS) claims.push(...(await claimNext(database)));
      });
      const written = await microsecondsARun(database, () => writeAll(database, claims, batch));
      progress(
        `round ${round + 1}: claims ${claimed.toFixed(0)} µs, writes of ${batch} ${written.toFixed(0)} µs a run`,
      );
      if (round === 0) continue;
      rows.push(
        boundRow(`execution-statements: claims of a run, round ${round + 1}`, 'µs', claimed, null),
        boundRow(`execution-statements: writes of a run, ${batch} at a time, round ${round + 1}`, 'µs', written, null),
      );
    }
    return rows;
  } finally {
    await database.destroy();
    await postgres.stop();
  }
}

async function microsecondsARun(database: Database, work: () => Promise<void>): Promise<number> {
  const before = await serverCpuSeconds(database);
  await work();
  return (((await serverCpuSeconds(database)) - before) * 1e6) / RUNS;
}

function claimNext(database: Database): Promise<ExecutionClaim[]> {
  const wish = { worker: 'bench', leaseMs: 600_000, kinds: ['workflow'], fullLanes: [] } as const;
  return claimExecutions(database, { ...wish, places: CLAIMED_AT_ONCE });
}

async function writeAll(database: Database, claims: readonly ExecutionClaim[], batch: number): Promise<void> {
  for (let at = 0; at < claims.length; at += batch)
    for (const step of [1, 2, 3]) {
      const writes = claims.slice(at, at + batch).map((claim) => writeOf(claim, step));
      if ((await advanceExecutions(database, writes)).length < writes.length) throw new Error('a lease was lost');
    }
}

/**
 * The write of the engine after a step: the step has ended, and the run too after the last one. The next step is
 * written when it ends.
 */
function writeOf({ id, epoch }: ExecutionClaim, step: number): ExecutionWrite {
  const isLast = step === 3;
  return nothingButWrite(id, epoch, {
    status: isLast ? 'completed' : 'running',
    state: isLast
      ? null
      : JSON.stringify({ frames: [{ path: '/do', at: step, input: { host: 'web-1' } }], context: {} }),
    result: isLast ? '{"done":"third"}' : null,
    steps: [stepOf(step)],
  });
}

function stepOf(step: number): StepWrite {
  const at = new Date().toISOString();
  return {
    step: `/do/${step}/step`,
    attempt: 1,
    begun: 2 * step,
    changed: 2 * step + 1,
    name: 'step',
    kind: 'run',
    status: 'completed',
    input: '{"host":"web-1"}',
    inputFile: null,
    output: '{"done":"step"}',
    outputFile: null,
    error: null,
    startedAt: at,
    endedAt: at,
  };
}
