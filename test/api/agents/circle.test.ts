import { afterAll, expect, test } from 'vitest';
import { createRunWorkflow } from '#api/agents/run/run-workflow.ts';
import { MAX_CAUSATION } from '#api/executions/engine/causation.ts';
import { createHttpExchange } from '#api/executions/tasks/http/http-exchange.ts';
import { createHttpTask } from '#api/executions/tasks/http/http-task.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { workflow } from '../executions/engine/engine-fixture.ts';
import { release } from '../workflows/triggers/trigger-fixture.ts';
import { runAgentApp } from './agent-app.ts';

const fetch = createOutboundFetch({ allow: ['127.0.0.0/8'] });
const app = await runAgentApp({
  outbound: fetch,
  runWorkflow: (call, signal) =>
    createRunWorkflow({
      database: app.database,
      executions: app.engine.executions,
      watch: { waitForEnd: async () => true },
      payloads: undefined,
    })(call, signal),
});
const { user, key, call } = await app.user({ scopes: ['agents:read', 'agents:run', 'agents:write', 'workflows:run'] });
const http = createHttpTask(
  createHttpExchange({
    fetch,
    resolveSecrets: async () => new Map(),
    files: { list: async () => [], find: async () => undefined, read: async () => Buffer.alloc(0) },
  }),
);
app.engine.work(
  {},
  {
    agents: app.runner,
    runTask: (task, context) =>
      task.kind === 'http' ? http(task, context) : Promise.reject(new Error('only calls here')),
  },
);
afterAll(() => fetch.close());

async function newAgent(slug: string, script: string): Promise<string> {
  const { id } = (
    await call('POST', '/api/v1/agents', { name: slug, slug, config: { permissions: { default: 'allow' } } })
  ).body.agent;
  await call('PUT', `/api/v1/agents/${id}/files?path=agent.js`, { content: script });
  return id;
}
const kindsAndDepths = () =>
  app.database
    .selectFrom('executions')
    .select(['kind', 'causation', 'status', 'error'])
    .orderBy('createdAt')
    .orderBy('causation')
    .execute();

test('an agent that runs a workflow that runs the agent ends', async () => {
  const circling = workflow({
    again: {
      call: 'http',
      with: {
        method: 'post',
        endpoint: `${app.url}/api/v1/agents/circling/run`,
        headers: { authorization: `Bearer ${key}` },
        body: { input: {} },
      },
    },
  });
  const released = await release(app.database, circling, { ownerId: user.id });
  app.engine.definitions.set(released.versionId, circling);
  await newAgent('circling', `await tools.workflows.run({ workflow: '${released.workflowId}', waitSeconds: 0 })`);
  expect((await call('POST', '/api/v1/agents/circling/run', { input: {} })).status).toBe(202);
  const last = await waitFor('the circle to end', async () =>
    (await kindsAndDepths()).find(({ status }) => status === 'rejected'),
  );
  expect(last).toMatchObject({ causation: MAX_CAUSATION + 1, error: { title: 'Causal loop' } });
  await waitFor('all to have ended', async () =>
    (await kindsAndDepths()).every(({ status }) => status === 'completed' || status === 'rejected'),
  );
  const all = await kindsAndDepths();
  expect(all.map(({ causation }) => causation)).toEqual(Array.from({ length: MAX_CAUSATION + 2 }, (_, at) => at));
  expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['agent', 'workflow']));
});

test('an agent that runs itself by a call ends, whatever depth it claims', async () => {
  await app.database.deleteFrom('executions').execute();
  const request = {
    url: `${app.url}/api/v1/agents/self/run`,
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'X-Trapline-Causation': '0' },
    body: '{"input":{}}',
  };
  await newAgent('self', `await tools.http.fetch(${JSON.stringify(request)})`);
  await call('POST', '/api/v1/agents/self/run', { input: {} });
  await waitFor('the circle to end', async () => (await kindsAndDepths()).some(({ status }) => status === 'rejected'));
  expect(await kindsAndDepths()).toHaveLength(MAX_CAUSATION + 2);
});
