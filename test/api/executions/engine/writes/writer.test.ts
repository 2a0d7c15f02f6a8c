import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import type { ExecutionLease } from '#api/executions/engine/worker/leased-executions.ts';
import type { WriteSource } from '#api/executions/engine/writes/write-batch.ts';
import { createWriter } from '#api/executions/engine/writes/writer.ts';
import { type ClaimedExecution, claimExecutions } from '#api/executions/store/claim.ts';
import type { Database } from '#api/postgres/database.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { createEngineFixture, type EngineFixture, nothingButWrite } from '../engine-fixture.ts';

let database: Database;
let engine: EngineFixture;
beforeAll(async () => {
  const postgres = await usePostgres();
  ({ database } = postgres);
  engine = createEngineFixture(database, postgres.url);
});

/** The pending writes of a run with one step in flight. */
function stepOf(execution: ClaimedExecution, epoch: number, step: string): WriteSource {
  const { id } = execution;
  const abort = new AbortController();
  const lease: ExecutionLease = {
    id,
    epoch,
    row: execution,
    abort,
    leaseEnds: performance.now() + 8_000,
    settled: false,
    alone: false,
  };
  const write = nothingButWrite(id, epoch, {
    steps: [
      {
        step,
        attempt: 1,
        name: step,
        kind: 'run',
        status: 'running',
        input: null,
        inputFile: null,
        output: null,
        outputFile: null,
        error: null,
        startedAt: new Date().toISOString(),
        begun: 0,
        changed: 1,
        endedAt: null,
      },
    ],
  });
  return { lease, take: async () => write };
}

/**
 * Regression: a worker lost an execution, claimed it again, and wrote for both runs in one statement. The old run took
 * the result for its own and counted as ended, so the child that the new run waited for was cancelled as an orphan.
 */
test('of two runs of one execution in one worker, only the one with the lease writes', async () => {
  const id = await engine.run('any');
  const wish = { worker: 'w', leaseMs: 8_000, places: 1, kinds: ['workflow'], fullLanes: [] } as const;
  const [claimed] = await claimExecutions(database, wish);
  if (claimed === undefined) throw new Error('nothing was claimed');
  const current = claimed.epoch;
  const written: string[] = [];
  const writer = createWriter(
    { database, logger: pino({ level: 'silent' }) },
    { onWritten: (writes) => written.push(...writes.flatMap(({ write }) => write.steps.map(({ step }) => step))) },
  );
  const lost = writer.write(stepOf(claimed, current - 1, '/do/0/lost'));
  const held = writer.write(stepOf(claimed, current, '/do/0/held'));
  expect(await held).toEqual({ id, status: 'running' });
  expect(await lost).toBeUndefined();
  expect(written).toEqual(['/do/0/held']);
  const steps = await database.selectFrom('executionSteps').select('step').where('executionId', '=', id).execute();
  expect(steps).toEqual([{ step: '/do/0/held' }]);
});

test('the next write of a run joins the writes that waited for its previous batch', async () => {
  await engine.clear();
  for (let run = 0; run < 2; run += 1) await engine.run('any');
  const wish = { worker: 'w', leaseMs: 8_000, places: 2, kinds: ['workflow'], fullLanes: [] } as const;
  const [first, second] = await claimExecutions(database, wish);
  if (first === undefined || second === undefined) throw new Error('two executions were not claimed');
  const writer = createWriter({ database, logger: pino({ level: 'silent' }) }, { onWritten() {} });
  const begun = Promise.withResolvers<void>();
  const source = stepOf(first, first.epoch, '/do/0/first');
  const written = writer.write({
    lease: source.lease,
    take() {
      begun.resolve();
      return source.take();
    },
  });
  await begun.promise;
  const waited = writer.write(stepOf(second, second.epoch, '/do/0/second'));
  await written;
  // The interpreter and a short task take some microtasks.
  for (let task = 0; task < 50; task += 1) await undefined;
  await Promise.all([waited, writer.write(stepOf(first, first.epoch, '/do/1/next'))]);
  const { rows } = await sql<{ steps: string[] }>`
    SELECT array_agg(step ORDER BY step) AS steps FROM execution_steps
    WHERE execution_id IN (${first.id}, ${second.id}) GROUP BY xmin::text ORDER BY 1`.execute(database);
  expect(rows.map(({ steps }) => steps)).toEqual([['/do/0/first'], ['/do/0/second', '/do/1/next']]);
});
