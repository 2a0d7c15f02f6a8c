import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { randomName } from '#test/support/random-name.ts';
import { freePorts } from '#test/support/services/free-ports.mjs';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const SERVER = fileURLToPath(new URL('external-workers-server.ts', import.meta.url));
const WORKER = fileURLToPath(new URL('external-worker.ts', import.meta.url));
const KILLS = 20;
/** Number of runs that are accepted just before each kill. */
const RUNS_EACH = 6;
const RUNS = 1 + KILLS * RUNS_EACH;

interface Output {
  readonly mark: string;
  readonly key: string;
  readonly token: number;
  readonly after: string | null;
}

it('no task is lost and exactly one result counts while servers and workers are killed', {
  timeout: 400_000,
}, async () => {
  const { database, url } = await usePostgres();
  const logs = await mkdtemp(path.join(tmpdir(), 'trapline-workers-'));
  await sql`CREATE TABLE worker_effects (mark text PRIMARY KEY, key text NOT NULL, token int NOT NULL, pid int NOT NULL)`.execute(
    database,
  );
  const logger = pino({ level: 'silent' });
  const executions = createExecutions({ database, logger, wakeUp: createWakeUp({ database, logger }) });
  const ports = await freePorts(2);
  const bases = ports.map((port) => `http://127.0.0.1:${port}`);
  const programs = [
    ...ports.map((port) => [SERVER, url, String(port)]),
    [WORKER, url, ...bases],
    [WORKER, url, ...bases.toReversed()],
  ];
  const begin = (args: readonly string[]): SupervisedProcess =>
    supervise({ command: process.execPath, args, logFile: path.join(logs, `${randomName('process')}.log`) });
  const processes = programs.map(begin);
  try {
    const open = async () =>
      (await database.selectFrom('executions').select('id').where('completedAt', 'is', null).execute()).length;
    const run = { kind: 'workflow', workflowId: 'wf', versionId: 'v', ownerId: null, triggerType: 'api' } as const;
    await executions.accept(run);
    await waitFor('the processes to work', async () => (await open()) === 0);
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (let count = 0; count < RUNS_EACH; count += 1) await executions.accept(run);
      await pause(50 + Math.random() * 300);
      const victim = Math.floor(Math.random() * programs.length);
      await processes[victim]?.kill9();
      processes[victim] = begin(programs[victim] ?? []);
      await pause(Math.random() * 1_000);
    }
    await waitFor('all runs to end', async () => (await open()) === 0, { timeoutMs: 240_000 });
  } finally {
    await Promise.all(processes.map((one) => one.kill9()));
    await rm(logs, { recursive: true, force: true });
  }

  const runs = await database.selectFrom('executions').select(['id', 'status', 'error']).execute();
  expect(runs.filter(({ status }) => status !== 'completed')).toEqual([]);
  const effects = await sql<{
    mark: string;
    key: string;
    token: number;
  }>`SELECT mark, key, token FROM worker_effects`.execute(database);
  const byMark = new Map(effects.rows.map((effect) => [effect.mark, effect]));
  const steps = await database.selectFrom('executionSteps').selectAll().orderBy('began').execute();
  expect(steps.map(({ status, attempt }) => `${status} ${attempt}`)).toEqual(Array(RUNS * 2).fill('completed 1'));
  for (const [, [first, second]] of Map.groupBy(steps, ({ executionId }) => executionId)) {
    const [before, after] = [first?.output, second?.output] as unknown as [Output, Output];
    // The accepted result of each step was recorded under the lease that it names, and the second step received the
    // accepted result of the first.
    for (const output of [before, after])
      expect(byMark.get(output.mark)).toMatchObject({ key: output.key, token: output.token });
    expect(after.after).toBe(before.mark);
  }
  // Repeated attempts have the key of their step and a new token each.
  expect(new Set(effects.rows.map(({ key }) => key)).size).toBe(RUNS * 2);
  expect(effects.rows.length, 'no process died with a task').toBeGreaterThan(RUNS * 2);
  expect(new Set(effects.rows.map(({ key, token }) => `${key} ${token}`)).size).toBe(effects.rows.length);
});
