import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type QuotaDefaults, readUsage, setQuotaDefaults } from '#api/accounts/tables/quotas.ts';
import { fireSchedules } from '#api/workflows/triggers/schedules.ts';
import { syncTriggers } from '#api/workflows/triggers/sync-triggers.ts';
import { QUOTA_RESOURCE_NAMES } from '#schemas/api/quotas.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from '../../workflows/routes/workflow-app.ts';
import { executionsOf, release, scheduled, triggerDeps } from '../../workflows/triggers/trigger-fixture.ts';
import { createEngineFixture, runChild, workflow } from '../engine/engine-fixture.ts';

const { database, url } = await usePostgres();
const UNLIMITED = Object.fromEntries(QUOTA_RESOURCE_NAMES.map((name) => [name, null])) as QuotaDefaults;
const limit = (quotas: Partial<QuotaDefaults>) =>
  setQuotaDefaults(database, { ...UNLIMITED, ...quotas }, { administratorsUnlimited: true });
let app: WorkflowApp;
beforeAll(async () => {
  app = await runWorkflowApp(url, { minScheduleMs: 10_000 });
});
afterAll(() => app.end());
afterEach(() => limit({}));

const SET = { a: { set: { x: 1 } } };
const refusedFor = (resource: string) => ({
  status: 403,
  body: { issues: [{ code: 'quota_exceeded', message: expect.stringContaining(`the quota of ${resource}`) }] },
});

test('rejects workflows, versions and bytes beyond the quota under /api/v1 with 403 and the envelope', async () => {
  const { call } = await app.user();
  let slugs = 0;
  const put = (slug: string, tasks: Record<string, unknown>) =>
    call('PUT', `/api/v1/workflows/${slug}`, { yamlContent: yamlOf(tasks, {}, slug) });
  await limit({ workflows: 1 });
  expect((await put('first-one', SET)).status).toBe(200);
  expect(await put(`second-${++slugs}`, SET)).toMatchObject(refusedFor('workflows'));
  await limit({ versions: 2 });
  expect((await put('first-one', { a: { set: { x: 2 } } })).status).toBe(200);
  expect(await put('first-one', { a: { set: { x: 3 } } })).toMatchObject(refusedFor('versions'));
  await limit({ storage_bytes: 4_000 });
  expect(await put('first-one', { a: { set: { x: 'y'.repeat(8_000) } } })).toMatchObject(refusedFor('storage_bytes'));
  // A rejected request leaves nothing behind.
  const { body } = await call('GET', '/api/v1/workflows/first-one/versions');
  expect(body).toMatchObject({ total: 2 });
});

test('accepts concurrent runs up to the quota, and an end frees a slot', async () => {
  const { call, user } = await app.user();
  await call('PUT', '/api/v1/workflows/many-runs', { yamlContent: yamlOf(SET, {}, 'many-runs') });
  await limit({ executions: 5 });
  const run = () => call('POST', '/api/v1/workflows/many-runs/run', { input: {} });
  const answers = await Promise.all(Array.from({ length: 12 }, run));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 201))
    expect(answer).toMatchObject(refusedFor('executions'));
  const accepted = answers.find(({ status }) => status === 201)?.body as unknown as { executionId: string };
  await call('POST', `/api/v1/workflows/executions/${accepted.executionId}/cancel`);
  expect((await run()).status).toBe(201);
  await limit({ execution_bytes: 6_000 });
  expect(await call('POST', '/api/v1/workflows/many-runs/run', { input: { x: 'y'.repeat(6_000) } })).toMatchObject(
    refusedFor('execution_bytes'),
  );
  const usage = await readUsage(database, user.id);
  expect(usage.find(({ resource }) => resource === 'executions')?.used).toBe(5);
});

test('a schedule of a user has a minimum interval; administrators may go below it', async () => {
  const yamlContent = yamlOf(SET, { schedule: { every: { seconds: 5 } } }, 'too-often');
  const refused = await (await app.user()).call('PUT', '/api/v1/workflows/too-often', { yamlContent });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('begins executions every 5 s; at least 10 s are allowed');
  expect((await (await app.user('admin')).call('PUT', '/api/v1/workflows/too-often', { yamlContent })).status).toBe(
    200,
  );
});

test('a child beyond the quota fails its step, and the parent returns its slot', async () => {
  const engine = createEngineFixture(database, url);
  const { user } = await app.user();
  engine.definitions.set('parent', workflow({ begin: runChild('child') }));
  engine.definitions.set('child', workflow({ done: { set: { done: true } } }));
  await limit({ executions: 1 });
  engine.work();
  const id = await engine.run('parent', { ownerId: user.id });
  const ended = await engine.until(id, 'failed');
  expect(JSON.stringify(ended.error)).toContain('the quota of executions is used up: 1 of 1');
  await engine.stopAll();
  expect((await readUsage(database, user.id)).find(({ resource }) => resource === 'executions')?.used).toBe(0);
});

test('a schedule whose owner has used up a quota skips that time, and continues with the next', async () => {
  const deps = triggerDeps(database);
  const { user } = await app.user();
  const began = Date.parse('2026-05-01T12:00:00Z');
  const { workflowId } = await release(database, scheduled({ every: { minutes: 1 } }), { ownerId: user.id });
  await syncTriggers(database, () => began);
  await limit({ executions: 0 });
  await fireSchedules(deps, began + 60_000);
  expect(await executionsOf(database, workflowId)).toEqual([]);
  await limit({});
  await fireSchedules(deps, began + 120_000);
  expect(await executionsOf(database, workflowId)).toHaveLength(1);
  await deps.close();
});
