import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from '../../workflows/routes/workflow-app.ts';
import { strictly } from './strict-client.ts';

let app: WorkflowApp;
beforeAll(async () => {
  app = await runWorkflowApp((await usePostgres()).url);
});
afterAll(() => app.end());

interface Listed {
  readonly data: readonly Record<string, unknown>[];
  readonly nextCursor: string | null;
}

/** An execution as a worker leaves it that has come to a `listen`. */
async function waiting(call: WorkflowApp['operator'], slug: string): Promise<string> {
  const id = strictly(
    'accepted',
    await call('POST', `/api/v1/workflows/${slug}/run`, { input: { host: 'web-1' } }),
  ).executionId;
  const filters = JSON.stringify([
    { with: { type: 'org.example.decided' }, correlate: { execution: { from: '${ .data.execution }', expect: id } } },
  ]);
  await sql`
    INSERT INTO execution_waits (execution_id, wait, step, mode, filters, event_types, lane)
    SELECT id, '/do/0/answer#listen.1', '/do/0/answer', 'one', ${filters}::json, ARRAY['org.example.decided'], lane FROM executions WHERE id = ${id}`.execute(
    app.database,
  );
  return id;
}

test('what executions wait for is listed to those whose events reach them, the newest first, page by page', async () => {
  const [ann, bob] = [await app.user(), await app.user()];
  for (const [person, slug] of [
    [ann, 'asks-ann'],
    [bob, 'asks-bob'],
  ] as const)
    await person.call('PUT', `/api/v1/workflows/${slug}`, {
      yamlContent: yamlOf({ answer: { listen: { to: { one: { with: { type: 'org.example.decided' } } } } } }, {}, slug),
    });
  const first = await waiting(ann.call, 'asks-ann');
  const second = await waiting(ann.call, 'asks-ann');
  const other = await waiting(bob.call, 'asks-bob');

  const own = (await ann.call('GET', '/api/v1/waits')).body as Listed;
  expect(own.data.map(({ executionId }) => executionId)).toEqual([first, second].sort().reverse());
  expect(own.nextCursor).toBeNull();
  expect(own.data[0]).toMatchObject({
    step: '/do/0/answer',
    mode: 'one',
    workflow: { name: 'asks-ann' },
    input: { host: 'web-1' },
    filters: [{ with: { type: 'org.example.decided' }, correlate: { execution: { from: '${ .data.execution }' } } }],
  });

  const pages: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const path = `/api/v1/waits?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page = (await app.operator('GET', path)).body as Listed;
    pages.push(...page.data.map(({ executionId }) => String(executionId)));
    cursor = page.nextCursor;
  }
  expect(pages).toEqual([first, second, other].sort().reverse());
  expect((await ann.call('GET', '/api/v1/waits?cursor=nonsense')).status).toBe(400);
});
