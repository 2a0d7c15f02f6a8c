import { expect, test } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { type Description, examine } from '../../description.ts';
import { ADMIN_KEY } from '../../running-app.ts';
import { runWorkflowApp } from './workflow-app.ts';

test('describes every route of workflows, with statuses that clients know', async () => {
  const { url } = await usePostgres();
  const app = await runWorkflowApp(url);
  const description = (await (
    await fetch(`${app.url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } })
  ).json()) as Description;
  await app.end();
  const { names, wrong } = examine(description);
  expect(wrong).toEqual([]);
  const ours = names.filter((name) => name.includes('/api/v1/'));
  expect(ours).toHaveLength(49);
  // The body is parsed by hand, because it may be a form, but a client is generated from the description.
  const { content } = description.paths['/api/v1/workflows/{id}/run']?.post?.requestBody ?? {};
  expect(content).toMatchObject({
    'application/json': { schema: { $ref: '#/components/schemas/RunWorkflowRequest' } },
    'multipart/form-data': { schema: { $ref: '#/components/schemas/RunWorkflowForm' } },
  });
  expect(description.components.schemas).toMatchObject({
    RunWorkflowRequest: { properties: { input: {}, overrides: {}, trigger: { enum: ['api', 'cli'] } } },
    RunWorkflowForm: { properties: { _json: {} }, additionalProperties: { format: 'binary' } },
  });
  const statuses = Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([, methods]) => Object.values(methods).flatMap(({ responses }) => Object.keys(responses)))
    // A body that is too long reaches no route.
    .filter((status) => status !== '431');
  expect([...new Set(statuses)].sort()).toEqual(['200', '201', '202', '204', '400', '401', '403', '404', '429', '503']);
});
