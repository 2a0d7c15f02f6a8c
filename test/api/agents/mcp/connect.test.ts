import { expect, onTestFinished, test } from 'vitest';
import { connectMcp } from '#api/agents/mcp/connect.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { startMcpSessionServer } from '../../outbound/mcp-session-server.ts';

async function connect() {
  const { url, ...server } = await startMcpSessionServer();
  const outbound = createOutboundFetch({ allow: ['127.0.0.0/8'] });
  onTestFinished(() => outbound.close());
  const connection = await connectMcp({ url }, { outbound, secrets: new Map() });
  onTestFinished(() => connection.close());
  const count = () => connection.call('count', {}, new AbortController().signal);
  return { connection, count, server };
}

test('the calls of a run share a session, which ends with the run', async () => {
  const { connection, count, server } = await connect();
  expect((await connection.listTools()).map(({ name }) => name)).toEqual(['count']);
  expect(await count()).toEqual({ text: '1' });
  expect(await count()).toEqual({ text: '2' });
  await connection.close();
  expect(server.begun()).toBe(1);
  expect(server.ended).toHaveLength(1);
});

test('a session that the server lost is reopened once for all calls in flight', async () => {
  const { count, server } = await connect();
  await count();
  server.sessions.clear();
  const answers = await Promise.all([count(), count()]);
  expect(answers).toEqual(expect.arrayContaining([{ text: '1' }, { text: '2' }]));
  expect(server.begun()).toBe(2);
  server.sessions.set = () => server.sessions;
  server.sessions.clear();
  await expect(count()).rejects.toThrow();
  expect(server.begun()).toBe(3);
});
