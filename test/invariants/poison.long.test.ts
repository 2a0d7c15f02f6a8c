import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { randomName } from '#test/support/random-name.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const WORKER = fileURLToPath(new URL('poison-worker.ts', import.meta.url));
const INNOCENT = 8;
/**
 * The execution ends its process once next to other work and three times alone; the job once next to other work and
 * twice alone.
 */
const EXPECTED_DEATHS = 1 + 3 + 1 + 2;
/** A stalled machine lets leases of innocent work expire. This allows for such extra attempts. */
const MORE_DEATHS = 8;

it('work that kills its process each time fails eventually, and other work of the process completes', async () => {
  const { database, url } = await usePostgres();
  const logs = await mkdtemp(path.join(tmpdir(), 'trapline-poison-'));
  const logger = pino({ level: 'silent' });
  const executions = createExecutions({ database, logger, wakeUp: () => {} });
  const jobs = createJobQueue({ database, logger });
  const run = async (versionId: string) => {
    const wish = { kind: 'workflow', workflowId: 'wf', versionId, ownerId: null, triggerType: 'api' } as const;
    const accepted = await executions.accept(wish);
    return 'id' in accepted ? accepted.id : expect.unreachable('no key was given');
  };
  const add = (payload: string, maxAttempts: number) =>
    inTransaction(database, (transaction) => jobs.add(transaction, { queue: 'work', payload, maxAttempts }));

  const innocent: string[] = [];
  for (let count = 0; count < INNOCENT / 2; count += 1) innocent.push(await run('innocent'));
  const guilty = await run('poison');
  for (let count = 0; count < INNOCENT / 2; count += 1) innocent.push(await run('innocent'));
  const guiltyJob = await add('poison', 2);
  for (let count = 0; count < INNOCENT; count += 1) await add('400', 1);

  const begin = (): SupervisedProcess =>
    supervise({
      command: process.execPath,
      args: [WORKER, url],
      logFile: path.join(logs, `${randomName('worker')}.log`),
    });
  let worker = begin();
  let deaths = 0;
  try {
    await waitFor(
      'all of it to have ended',
      async () => {
        if (!worker.running) {
          deaths += 1;
          expect(deaths, worker.output()).toBeLessThanOrEqual(EXPECTED_DEATHS + MORE_DEATHS);
          worker = begin();
        }
        const open = await database.selectFrom('executions').select('id').where('completedAt', 'is', null).execute();
        const openJobs = await database.selectFrom('jobs').select('id').where('finishedAt', 'is', null).execute();
        return open.length + openJobs.length === 0;
      },
      { timeoutMs: 240_000 },
    );
  } finally {
    await worker.kill9();
    await rm(logs, { recursive: true, force: true });
  }

  const rows = await database.selectFrom('executions').select(['id', 'status', 'error', 'crashes']).execute();
  expect(rows.filter(({ status }) => status === 'completed').map(({ id }) => id)).toEqual(
    expect.arrayContaining(innocent),
  );
  expect(rows.find(({ id }) => id === guilty)).toMatchObject({
    status: 'failed',
    crashes: 3,
    error: { title: 'Worker lost', detail: expect.stringContaining('3 times') as unknown },
  });
  const jobRows = await database.selectFrom('jobs').select(['id', 'state', 'lastError']).execute();
  expect(jobRows.filter(({ state }) => state === 'failed')).toEqual([
    { id: guiltyJob, state: 'failed', lastError: 'the process that ran the job ended' },
  ]);
  expect(jobRows.filter(({ state }) => state === 'done')).toHaveLength(INNOCENT);
  expect(deaths).toBeGreaterThanOrEqual(4);
});
