import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStoredDefinitions } from '#api/workflows/definitions/stored-definitions.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from '../routes/workflow-app.ts';

let app: WorkflowApp;
beforeAll(async () => {
  const { url } = await usePostgres();
  app = await runWorkflowApp(url);
});
afterAll(() => app.end());

test('an execution runs a workflow by name with the rights of its owner, in the requested version', async () => {
  const [owner, other, admin] = await Promise.all([app.user(), app.user(), app.user('admin')]);
  const put = (x: number, more: object = {}) =>
    owner.call('PUT', '/api/v1/workflows/part', { yamlContent: yamlOf({ a: { set: { x } } }), ...more });
  await put(1);
  await put(2, { kind: 'block' });
  const { definitionOf, resolveWorkflow } = createStoredDefinitions({ database: app.database });
  const resolve = (ownerId: string | null, version = 'latest', slug = 'part') =>
    resolveWorkflow({ slug, version, ownerId });
  const latest = await resolve(owner.user.id);
  const first = await resolve(owner.user.id, '1');
  expect(latest?.workflowId).toBe(first?.workflowId);
  expect((await definitionOf(latest?.versionId ?? ''))?.do).toEqual([{ a: { set: { x: 2 } } }]);
  expect((await definitionOf(first?.versionId ?? ''))?.do).toEqual([{ a: { set: { x: 1 } } }]);
  expect(await resolve(owner.user.id, first?.versionId)).toEqual(first);
  expect(await definitionOf('wfh_none')).toBeUndefined();

  expect(await resolve(other.user.id)).toBeUndefined();
  expect(await resolve(admin.user.id)).toEqual(latest);
  expect(await resolve(null)).toEqual(latest);
  await put(2, { visibility: 'shared' });
  expect(await resolve(other.user.id)).toEqual(latest);
  expect(await resolve(owner.user.id, '9')).toBeUndefined();
  expect(await resolve(owner.user.id, 'latest', 'unknown')).toBeUndefined();
});
