import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { createWakeUp } from '#api/jobs/wake-up.ts';
import { supervise } from '#test/support/services/supervised-process.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const WORKER = fileURLToPath(new URL('lost-workers-worker.ts', import.meta.url));

/*
 * An expression that ended the process was retried at every start, and took the executions that ran beside it along until they failed as well.
 */
test('an execution that ends every worker fails at the third; those that ran beside it complete', async () => {
  const { database, url } = await usePostgres();
  const logger = pino({ level: 'silent' });
  const executions = createExecutions({ database, logger, wakeUp: createWakeUp({ database, logger }) });
  const accept = async (versionId: string, ownerId: string): Promise<string> => {
    const accepted = await executions.accept({
      kind: 'workflow',
      workflowId: 'wf_lost',
      versionId,
      ownerId,
      triggerType: 'api',
    });
    if (accepted.outcome !== 'accepted') throw new Error('it was not accepted');
    return accepted.id;
  };
  const owners = [randomUUID(), randomUUID(), randomUUID()] as const;
  const guilty = await accept('abort', owners[0]);
  const innocent = await Promise.all(
    [owners[0], owners[1], owners[1], owners[2]].map((owner) => accept('hold', owner)),
  );

  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-lost-workers-'));
  let lost = 0;
  let finished = false;
  const supervised = (async () => {
    for (let start = 0; !finished; start += 1) {
      const worker = supervise({
        command: process.execPath,
        args: [WORKER, url],
        logFile: path.join(folder, `${start}.log`),
      });
      const ended = new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (!finished && worker.running) return;
          clearInterval(timer);
          resolve();
        }, 20);
      });
      await ended;
      if (!finished) lost += 1;
      await worker.kill9();
    }
  })();
  try {
    await waitFor(
      'every execution to end',
      async () =>
        (await database.selectFrom('executions').select('id').where('completedAt', 'is', null).execute()).length === 0,
      { timeoutMs: 120_000 },
    );
  } finally {
    finished = true;
    await supervised;
    await rm(folder, { recursive: true, force: true });
  }
  const rows = await database.selectFrom('executions').select(['id', 'status', 'error', 'losses']).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  expect(byId.get(guilty)).toMatchObject({
    status: 'failed',
    losses: 3,
    error: { title: 'Worker lost', detail: '3 workers ended while they ran this step' },
  });
  expect(innocent.map((id) => byId.get(id)?.status)).toEqual(innocent.map(() => 'completed'));
  expect(lost).toBe(3);
});
