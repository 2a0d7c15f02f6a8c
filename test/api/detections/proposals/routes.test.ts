import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { detection, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { runApp } from '../../running-app.ts';
import { addAccounts, analystsGuard, caller, serviceDeps } from '../triage/analysts.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
await addAccounts(database);

let number = 0;
async function landed(): Promise<string> {
  const one = detection({ id: `det_${String(++number).padStart(32, '0')}` });
  await store.landDetections([one]);
  return one.id;
}

/**
 * The keys of `analystsGuard`; `assistant`, with the scopes to read and propose; sessions by the name of the analyst.
 */
async function standing() {
  const guard = analystsGuard();
  const { url } = await runApp({
    deps: {
      clickhouse,
      changes: serviceDeps(clickhouse, database),
      mcp: { allowedOrigins: undefined },
      guard: {
        ...guard,
        async verifyKey(key, origin) {
          if (key !== 'assistant') return guard.verifyKey(key, origin);
          const scopes = ['detections:read', 'detections:propose'] as const;
          return { kind: 'key', userId: 'id-of-bob', username: 'bob', role: 'analyst', keyId: key, scopes };
        },
        async authenticateSession(name) {
          const role = name === 'viewer' ? 'user' : 'analyst';
          return { kind: 'session', userId: name, username: name, email: `${name}@example.org`, role, sessionId: 's' };
        },
      },
    },
  });
  const session =
    (name: string) =>
    async (method: string, path: string, body?: unknown, headers: object = {}) => {
      const response = await fetch(url + path, {
        method,
        headers: { cookie: `trapline-session=${name}`, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as { readonly data?: unknown } };
    };
  return { url, assistant: caller(url, 'assistant'), reader: caller(url, 'reader'), ann: caller(url, 'ann'), session };
}

const PROPOSAL = { change: { status: 'closed', verdict: 'benign', note: 'a test' }, reason: 'the program is a fuzzer' };

test('a proposal changes nothing until an analyst accepts it, in the name of the analyst', async () => {
  const { assistant, session } = await standing();
  const id = await landed();
  const made = await assistant('POST', `/api/detections/${id}/proposals`, PROPOSAL);
  expect(made).toMatchObject({
    status: 201,
    body: { ...PROPOSAL, state: 'open', actor: 'key:assistant', decided: null },
  });
  const before = await assistant('GET', `/api/detections/${id}`);
  expect(before.body).toMatchObject({ status: 'new', verdict: null, note: null });
  expect((await assistant('GET', `/api/detections/${id}/history`)).body.data).toEqual([]);

  const ann = session('ann');
  const path = `/api/detections/${id}/proposals/${made.body.id}`;
  const accepted = await ann('POST', `${path}/accept`, undefined, { 'if-match': before.etag });
  expect(accepted).toMatchObject({
    status: 200,
    body: { state: 'accepted', decided: { actor: 'user:ann', username: 'ann' } },
  });
  expect((await assistant('GET', `/api/detections/${id}`)).body).toMatchObject(PROPOSAL.change);
  expect((await assistant('GET', `/api/detections/${id}/history`)).body.data).toMatchObject([{ actor: 'user:ann' }]);
  expect((await ann('POST', `${path}/accept`)).status).toBe(409);
  expect((await ann('POST', `${path}/decline`)).status).toBe(409);
  expect((await ann('GET', `/api/detections/${id}/proposals?state=open`)).body).toEqual({ data: [] });
  const entries = await database
    .selectFrom('auditLog')
    .selectAll()
    .where('target', '=', `detection:${id}`)
    .orderBy('id')
    .execute();
  expect(entries.map(({ action, actor }) => `${action} ${actor}`)).toEqual([
    'proposal.create key:assistant',
    'detection.update user:ann',
    'proposal.accept user:ann',
  ]);
});

test('a declined proposal, and one from before a changed decision, change nothing', async () => {
  const { assistant, ann, session } = await standing();
  const id = await landed();
  const propose = async () => (await assistant('POST', `/api/detections/${id}/proposals`, PROPOSAL)).body.id as string;
  const first = await propose();
  const second = await propose();
  const { body } = await assistant('GET', `/api/detections/${id}/proposals`);
  expect(body.data.map((one: { id: string; state: string }) => [one.id, one.state])).toEqual([
    [second, 'open'],
    [first, 'replaced'],
  ]);
  const bob = session('bob');
  const { etag } = await ann('GET', `/api/detections/${id}`);
  await ann('PATCH', `/api/detections/${id}`, { status: 'acknowledged' });
  const late = await bob('POST', `/api/detections/${id}/proposals/${second}/accept`, undefined, { 'if-match': etag });
  expect(late.status).toBe(412);
  expect((await bob('POST', `/api/detections/${id}/proposals/${second}/decline`)).body).toMatchObject({
    state: 'declined',
  });
  expect((await ann('GET', `/api/detections/${id}`)).body).toMatchObject({ status: 'acknowledged', verdict: null });
});

test('only a person decides: keys and sessions without the role are rejected; proposing needs its scope', async () => {
  const { assistant, ann, reader, session } = await standing();
  const id = await landed();
  const made = await assistant('POST', `/api/detections/${id}/proposals`, PROPOSAL);
  const path = `/api/detections/${id}/proposals/${made.body.id}`;
  for (const call of [assistant, ann, session('viewer')])
    for (const way of ['accept', 'decline']) expect((await call('POST', `${path}/${way}`)).status).toBe(403);
  expect((await reader('POST', `/api/detections/${id}/proposals`, PROPOSAL)).status).toBe(403);
  expect((await assistant('PATCH', `/api/detections/${id}`, { status: 'closed' })).status).toBe(403);
  const none = `/api/detections/det_${'9'.repeat(32)}/proposals`;
  expect((await assistant('POST', none, PROPOSAL)).status).toBe(404);
  const unknown = { ...PROPOSAL, change: { assignee: 'plain-user' } };
  expect((await assistant('POST', `/api/detections/${id}/proposals`, unknown)).status).toBe(400);
  expect((await assistant('POST', `/api/detections/${id}/proposals`, { ...PROPOSAL, change: {} })).status).toBe(400);
});

test('an assistant proposes through the tool of the Model Context Protocol', async () => {
  const { url, session } = await standing();
  const id = await landed();
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: 'Bearer assistant' } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  onTestFinished(() => client.close());
  const given = { id, verdict: 'benign', reason: PROPOSAL.reason };
  const made = await client.callTool({ name: 'propose_triage', arguments: given });
  expect(made).toMatchObject({ structuredContent: { status: 201, untrusted: { state: 'open' } } });
  expect((await session('ann')('GET', `/api/detections/${id}/proposals?state=open`)).body.data).toMatchObject([
    { change: { verdict: 'benign' }, reason: PROPOSAL.reason, username: 'bob' },
  ]);
});

test('of a concurrent acceptance and rejection one is rejected, and a rejected acceptance changes nothing', async () => {
  const { assistant, session } = await standing();
  const id = await landed();
  const made = await assistant('POST', `/api/detections/${id}/proposals`, PROPOSAL);
  const path = `/api/detections/${id}/proposals/${made.body.id}`;
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = database.transaction().execute(async (transaction) => {
    await sql`LOCK TABLE detection_triage IN EXCLUSIVE MODE`.execute(transaction);
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const accepting = session('ann')('POST', `${path}/accept`);
  await waitFor('the acceptance to wait for the decision', async () => {
    const { rows } = await sql`
      SELECT FROM pg_locks WHERE NOT granted AND relation = 'detection_triage'::regclass`.execute(database);
    return rows.length > 0;
  });
  expect((await session('bob')('POST', `${path}/decline`)).status).toBe(200);
  release.resolve();
  await holding;
  expect((await accepting).status).toBe(409);
  expect((await assistant('GET', `/api/detections/${id}`)).body).toMatchObject({ status: 'new', note: null });
  expect((await assistant('GET', `/api/detections/${id}/history`)).body.data).toEqual([]);
});
