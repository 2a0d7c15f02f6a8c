import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { runAgentApp } from '#test/api/agents/agent-app.ts';
import { release } from '#test/api/workflows/triggers/trigger-fixture.ts';
import { randomName } from '#test/support/random-name.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { type SupervisedProcess, supervise } from '#test/support/services/supervised-process.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { createWorld, effectsOf } from './executions-world.ts';

const WORKER = fileURLToPath(new URL('agents-worker.ts', import.meta.url));
const EXAMPLES = 8;

const app = await runAgentApp();
const { database } = app;
const call = app.operator;
await createWorld(database);
const logs = await mkdtemp(path.join(tmpdir(), 'trapline-agents-'));
afterAll(() => rm(logs, { recursive: true, force: true }));

const script = { run: { script: { language: 'javascript', code: '0' } } };
const { slug: workflow } = await release(database, {
  document: { dsl: '1.0.0', namespace: 'oracle', name: 'marks', version: '1.0.0' },
  do: [{ a: script }, { pause: { wait: { milliseconds: 50 } } }, { b: script }],
});
const CODE = `
  await tools.files.write({ path: 'number.txt', content: String(input.n) });
  console.log('began', input.n);
  const answer = await tools.workflows.run({ workflow: '${workflow}', waitSeconds: 60 });
  ({ n: input.n, asked: answer.executionId, came: answer.status })`;

const start = (): SupervisedProcess =>
  supervise({
    command: process.execPath,
    args: [WORKER, app.databaseUrl, app.folder, '2000'],
    logFile: path.join(logs, `${randomName('agents')}.log`),
  });

it.each([1])(
  'while workers are killed at random, no agent run is lost or ends twice, and each starts its calls once (seed %i)',
  { timeout: 400_000 },
  async (seed) => {
    const random = seededRandom(seed);
    const slug = `oracle-${seed}`;
    await call('POST', '/api/v1/agents', { name: slug, slug, config: { tools: ['files.write', 'workflows.run'] } });
    await call('PUT', `/api/v1/agents/${slug}/files?path=agent.js`, { content: CODE });
    for (let n = 0; n < EXAMPLES; n += 1)
      await call('PUT', `/api/v1/agents/${slug}/examples/e${n}`, { input: { n }, expected: { n, came: 'completed' } });
    const begun = (await call('POST', `/api/v1/agents/${slug}/evaluations`, { batchId: 'all' })).body.executions as {
      executionId: string;
    }[];
    expect(begun).toHaveLength(EXAMPLES);
    const ids = begun.map(({ executionId }) => executionId);
    const cancelled = new Set<string>();

    const workers = [start(), start()];
    try {
      await waitFor('an agent to run', async () => {
        const { rows } = await sql`SELECT FROM execution_lines WHERE execution_id = ANY (${ids}::text[])`.execute(
          database,
        );
        return rows.length > 0;
      });
      for (let blow = 0; blow < 3; blow += 1) {
        await pause(random.between(5, 500));
        const at = random.between(0, workers.length - 1);
        await workers[at]?.kill9();
        workers[at] = start();
        const id = random.pick(ids);
        const before = (await call('GET', `/api/v1/agents/executions/${id}`)).body.execution.status;
        const after = (await call('POST', `/api/v1/agents/executions/${id}/cancel`)).body.execution;
        if (before !== 'completed' && after.status !== 'completed') cancelled.add(id);
      }
      const results = await waitFor(
        'every agent to end',
        async () => {
          const { body } = await call('GET', `/api/v1/agents/${slug}/evaluations/all`);
          return body.open === 0 && body;
        },
        { timeoutMs: 240_000, everyMs: 200 },
      );
      expect(results).toMatchObject({ total: EXAMPLES, failed: 0 });
      expect(results.passed + results.notCompared).toBe(EXAMPLES);
    } finally {
      await Promise.all(workers.map((worker) => worker.kill9()));
    }

    for (const id of ids) {
      const { execution } = (await call('GET', `/api/v1/agents/executions/${id}?include=files`)).body;
      expect([id, execution.status]).toEqual([id, cancelled.has(id) ? 'cancelled' : 'completed']);
      const row = await database.selectFrom('executions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      expect(row.status).toBe(execution.status);
      const asked = await database
        .selectFrom('executions')
        .select(['id', 'status'])
        .where('cause', 'like', `agent:${id}:%`)
        .execute();
      expect(asked.length).toBeLessThanOrEqual(1);
      if (cancelled.has(id)) continue;
      expect(asked).toEqual([{ id: execution.output.asked, status: 'completed' }]);
      const names = execution.files.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`).sort();
      expect(names).toEqual(['issues issues.md', 'output number.txt', 'trace trace.jsonl']);
      const file = await call('GET', `/api/v1/agents/executions/${id}/files/output/number.txt`);
      expect(file.text).toBe(String(execution.output.n));
      const terminal = await database
        .selectFrom('executionChanges')
        .select('toStatus')
        .where('executionId', '=', id)
        .where('toStatus', 'in', ['completed', 'failed', 'cancelled', 'rejected'])
        .execute();
      expect(terminal).toHaveLength(1);
    }
    const keys = Map.groupBy(await effectsOf(database), ({ executionId, step }) => `${executionId} ${step}`);
    for (const marks of keys.values()) expect(new Set(marks.map(({ key }) => key)).size).toBe(1);
  },
);
