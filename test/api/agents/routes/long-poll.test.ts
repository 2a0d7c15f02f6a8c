import { expect, test } from 'vitest';
import { agentExecutionSchema } from '#schemas/api/agents.ts';
import { runAgentApp } from '../agent-app.ts';

const app = await runAgentApp({}, { maxLongPolls: 1 });

test('returns a run of an agent immediately beyond the maximum of held requests', async () => {
  const { key, call } = await app.user();
  await call('POST', '/api/v1/agents', { name: 'waits', slug: 'waits', config: {} });
  await call('PUT', '/api/v1/agents/waits/files?path=agent.js', { content: '1' });
  const path = '/api/v1/agents/waits/run?wait_for_completion=600';
  const leave = new AbortController();
  // No worker runs here, so only the headers of the response arrive.
  const held = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    signal: leave.signal,
  });
  expect(held.status).toBe(202);

  const beyond = await call('POST', path);
  expect([beyond.status, beyond.body]).toEqual([
    202,
    { executionId: expect.stringMatching(/^exec_/), status: 'timeout' },
  ]);
  leave.abort();
});

test('holds a read of an execution until its end or a time limit, and responds immediately beyond the maximum', async () => {
  const [owner, other] = [await app.user(), await app.user()];
  await owner.call('POST', '/api/v1/agents', { name: 'read', slug: 'read', config: {} });
  await owner.call('PUT', '/api/v1/agents/read/files?path=agent.js', { content: '1' });
  const { executionId } = (await owner.call('POST', '/api/v1/agents/read/run')).body;
  const path = `/api/v1/agents/executions/${executionId}`;
  const still = await owner.call('GET', `${path}?wait_for_completion=1`);
  expect([still.status, still.body.execution.completedAt]).toEqual([200, null]);
  expect((await owner.call('GET', `${path}?wait_for_completion=61`)).status).toBe(400);
  expect((await other.call('GET', `${path}?wait_for_completion=60`)).status).toBe(404);
  // The headers arrive immediately, the body at the end.
  const held = await fetch(`${app.url}${path}?wait_for_completion=60`, {
    headers: { authorization: `Bearer ${owner.key}` },
  });
  expect(held.status).toBe(200);
  const beyond = await owner.call('GET', `${path}?wait_for_completion=60`);
  expect(beyond.body.execution).toMatchObject({ id: executionId, completedAt: null });
  await owner.call('POST', `${path}/cancel`);
  const { execution } = JSON.parse(await held.text()) as { execution: unknown };
  expect(agentExecutionSchema.parse(execution)).toMatchObject({ id: executionId, status: 'cancelled' });
});
