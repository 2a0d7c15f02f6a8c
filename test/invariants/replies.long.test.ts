import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createExecutions } from '#api/executions/engine/executions.ts';
import { findSignalState } from '#api/executions/store/replies.ts';
import { createWakeUp } from '#api/leases/wake-up.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { createWorld, effectsOf } from './executions-world.ts';

const WORKER = fileURLToPath(new URL('executions-worker.ts', import.meta.url));
const EXECUTIONS = 12;
const KILLS = 5;
const QUESTIONS = [1, 2, 3];

it('each event is taken and replied to once while workers are killed', {
  timeout: 300_000,
}, async () => {
  const { database, url } = await usePostgres();
  await createWorld(database);
  const logs = await mkdtemp(path.join(tmpdir(), 'trapline-replies-'));
  onTestFinished(() => rm(logs, { recursive: true, force: true }));
  const random = seededRandom(1);
  const logger = pino({ level: 'silent' });
  const executions = createExecutions({ database, logger, wakeUp: createWakeUp({ database, logger }) });
  let started = 0;
  const start = (): SupervisedProcess =>
    supervise({
      command: process.execPath,
      args: [WORKER, url, '3000'],
      logFile: path.join(logs, `worker-${started++}.log`),
    });
  const workers = [start(), start()];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.kill9()));
  });

  const ids: string[] = [];
  for (let n = 0; n < EXECUTIONS; n++) {
    const run = { kind: 'workflow', workflowId: 'wf_replies', versionId: 'replies', ownerId: null } as const;
    const accepted = await executions.accept({ ...run, triggerType: 'api', input: n });
    if (accepted.outcome === 'conflict') throw new Error('nothing to be in conflict with');
    ids.push(accepted.id);
  }

  /** Acts as a client that does not know whether its request arrived: sends the same event until it sees the reply. */
  async function ask(executionId: string): Promise<void> {
    for (const n of QUESTIONS) {
      // The source and id identify an event across all executions of an owner, so the source contains the execution id.
      const source = `urn:client:${executionId}`;
      const event = { specversion: '1.0', id: `ask-${n}`, source, type: `ask.${n}` } as const;
      const outcomes = new Set<string>();
      await waitFor(
        `the reply ${n} of ${executionId}`,
        async () => {
          outcomes.add(await executions.signal(executionId, event));
          return (await findSignalState(database, executionId, event.id))?.isReplied === true;
        },
        { timeoutMs: 240_000, everyMs: 100 },
      );
      expect([...outcomes].filter((outcome) => outcome !== 'repeated')).toEqual(['accepted']);
      const state = await findSignalState(database, executionId, event.id);
      expect(state?.reply).toMatchObject({ type: `answer.${n}`, causationid: `ask-${n}`, data: { n } });
    }
  }

  async function killWorkers(): Promise<void> {
    for (let kill = 0; kill < KILLS; kill++) {
      const begun = (await effectsOf(database)).length;
      const more = random.between(1, 5);
      await waitFor(
        'work to go on',
        async () => (await effectsOf(database)).length >= Math.min(begun + more, EXECUTIONS * QUESTIONS.length),
        { timeoutMs: 120_000, everyMs: 20 },
      );
      const at = kill % workers.length;
      await workers[at]?.kill9();
      workers[at] = start();
    }
  }

  await Promise.all([...ids.map(ask), killWorkers()]);
  await waitFor(
    'all to end',
    async () => {
      const { rows } = await sql`SELECT FROM executions WHERE status <> 'completed'`.execute(database);
      return rows.length === 0;
    },
    { timeoutMs: 60_000 },
  );
  const { rows: events } = await sql<{ type: string; n: number }>`
    SELECT event ->> 'type' AS type, count(*)::int AS n FROM execution_events GROUP BY 1 ORDER BY 1`.execute(database);
  const each = (prefix: string) => QUESTIONS.map((n) => ({ type: `${prefix}.${n}`, n: EXECUTIONS }));
  expect(events).toEqual([...each('answer'), ...each('ask')]);
  const { rows: signals } = await sql<{ consumed: number }>`
    SELECT count(*) FILTER (WHERE consumed)::int AS consumed FROM execution_signals GROUP BY execution_id`.execute(
    database,
  );
  expect(signals).toEqual(ids.map(() => ({ consumed: QUESTIONS.length })));
});
