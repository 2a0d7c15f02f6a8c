import { expect, test } from 'vitest';
import { runAgentApp } from '../../executions/agents/agent-app.ts';

const app = await runAgentApp({}, { mostHeld: 1 });

test('beyond the number that may be held a run of an agent says at once that it is not waited for', async () => {
  const { key, call } = await app.user();
  await call('POST', '/api/v1/agents', { name: 'waits', slug: 'waits', config: {} });
  await call('PUT', '/api/v1/agents/waits/files?path=agent.js', { content: '1' });
  const path = '/api/v1/agents/waits/run?wait_for_completion=600';
  const leave = new AbortController();
  // Nobody works here: its head is all that comes.
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
