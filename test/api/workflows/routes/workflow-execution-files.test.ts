import { afterAll, beforeAll, expect, test } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { refusal } from '../../executions/routes/strict-client.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from './workflow-app.ts';

let app: WorkflowApp;
beforeAll(async () => {
  app = await runWorkflowApp((await usePostgres()).url);
});
afterAll(() => app.end());

test('an input file is returned to users who see the run, under its original name', async () => {
  const [ann, bob] = [await app.user(), await app.user()];
  await ann.call('PUT', '/api/v1/workflows/takes-files', {
    yamlContent: yamlOf({ a: { set: { x: 1 } } }, {}, 'takes-files'),
  });
  const form = new FormData();
  form.append('core', new Blob(['a core dump']), 'nginx.core');
  const { executionId } = (await ann.call('POST', '/api/v1/workflows/takes-files/run', form)).body as {
    executionId: string;
  };
  const path = (name: string) => `/api/v1/workflows/executions/${executionId}/files/${name}`;
  const found = await ann.call('GET', path('core'));
  expect([found.status, found.text]).toEqual([200, 'a core dump']);
  expect(found.headers.get('content-disposition')).toContain('attachment; filename="nginx.core"');
  expect(refusal(await bob.call('GET', path('core'))).status).toBe(404);
  expect(refusal(await ann.call('GET', path('other'))).status).toBe(404);
  expect(refusal(await ann.call('GET', path('..%2Fcore'))).status).toBe(400);
});
