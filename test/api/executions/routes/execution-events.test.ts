import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { OPERATOR_KEY } from '../../running-app.ts';
import { runWorkflowApp, type WorkflowApp, yamlOf } from '../../workflows/routes/workflow-app.ts';
import { refusal, strictly } from './strict-client.ts';

let app: WorkflowApp;
let url: string;
beforeAll(async () => {
  ({ url } = await usePostgres());
  app = await runWorkflowApp(url);
  await app.operator('PUT', '/api/v1/workflows/followed', {
    yamlContent: yamlOf({ a: { set: { x: 1 } } }, {}, 'followed'),
  });
});
afterAll(() => app.end());

interface Sent {
  readonly id?: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads server-sent events as they arrive. */
function follow(base: string, id: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const got: Sent[] = [];
  const done = (async () => {
    const response = await fetch(`${base}/api/v1/executions/${id}/events`, {
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, ...headers },
      signal: abort.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const fields = Object.fromEntries(
          text
            .slice(0, end)
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        text = text.slice(end + 2);
        if (fields.event !== undefined)
          got.push({
            ...(fields.id ? { id: fields.id } : {}),
            event: fields.event,
            data: JSON.parse(fields.data ?? '{}'),
          });
      }
    }
  })();
  done.catch(() => {});
  return { got, done, abort: () => abort.abort() };
}

const begin = async () =>
  strictly('accepted', await app.operator('POST', '/api/v1/workflows/followed/run', {})).executionId;
const move = (id: string, set: ReturnType<typeof sql>) =>
  sql`UPDATE executions SET ${set} WHERE id = ${id}`.execute(app.database);
const start = (id: string) => move(id, sql`status = 'running', lease_until = now() + interval '8 s'`);
const finish = (id: string) => move(id, sql`status = 'completed', lease_until = NULL, completed_at = now()`);
const step = (id: string, name: string) =>
  sql`INSERT INTO execution_steps (execution_id, step, attempt, name, kind, status, output, began, changed, started_at, ended_at)
    VALUES (${id}, ${`/do/0/${name}`}, 1, ${name}, 'set', 'completed', '{"x":1}', nextval('execution_trace_seq'), nextval('execution_trace_seq'), now(), now())`.execute(
    app.database,
  );

test('streams statuses and steps in order, live, in every process, and then the end', async () => {
  const id = await begin();
  const other = await runWorkflowApp(url, { listen: false });
  const [here, there] = [follow(app.url, id), follow(other.url, id)];
  await waitFor('the first', () => here.got.length === 1 && there.got.length === 1);
  await start(id);
  await step(id, 'a');
  await finish(id);
  await Promise.all([here.done, there.done]);
  for (const { got } of [here, there]) {
    expect(got.map(({ event, data }) => [event, data.status ?? null])).toEqual([
      ['status', 'pending'],
      ['status', 'running'],
      ['step', 'completed'],
      ['status', 'completed'],
      ['end', null],
    ]);
    expect(got[2]?.data).toMatchObject({ executionId: id, step: '/do/0/a', name: 'a', kind: 'set', output: { x: 1 } });
  }
  expect(app.watch.watched + other.watch.watched).toBe(0);
  await other.end();
});

test('a reader that reconnects continues at its last event; one that connects late gets all events', async () => {
  const id = await begin();
  const first = follow(app.url, id);
  await waitFor('the first', () => first.got.length === 1);
  first.abort();
  await waitFor('it to be gone', () => app.watch.watched === 0);
  await start(id);
  await step(id, 'b');
  await finish(id);
  const again = follow(app.url, id, { 'last-event-id': first.got[0]?.id ?? '' });
  await again.done;
  expect(again.got.map(({ data }) => data.status)).toEqual(['running', 'completed', 'completed', undefined]);
  const late = follow(app.url, id);
  await late.done;
  expect(late.got).toHaveLength(5);
  const over = follow(app.url, id, { 'last-event-id': late.got.at(-2)?.id ?? '' });
  await over.done;
  expect(over.got.map(({ event }) => event)).toEqual(['end']);
});

test('streams long traces completely to many readers, of which some are slow and some disconnect', async () => {
  const id = await begin();
  await start(id);
  await sql`INSERT INTO execution_steps (execution_id, step, attempt, name, kind, status, output, began, changed, started_at)
    SELECT ${id}, '/do/' || i, 1, 's' || i, 'set', 'running', '{}', nextval('execution_trace_seq'), nextval('execution_trace_seq'), now()
    FROM generate_series(1, 3000) AS i`.execute(app.database);
  const readers = Array.from({ length: 20 }, () => follow(app.url, id));
  const stuck = await fetch(`${app.url}/api/v1/executions/${id}/events`, {
    headers: { authorization: `Bearer ${OPERATOR_KEY}` },
  });
  await waitFor('everybody to have come', () => app.watch.watched === 21);
  for (const reader of readers.slice(10)) reader.abort();
  await finish(id);
  await Promise.all(readers.slice(0, 10).map(({ done }) => done));
  for (const { got } of readers.slice(0, 10)) {
    expect(got.filter(({ event }) => event === 'step')).toHaveLength(3000);
    expect(got.at(-1)?.event).toBe('end');
  }
  await stuck.body?.cancel();
  await waitFor('no reader to be left', () => app.watch.watched === 0);
});

test('a reader that loses access gets no further events: a revoked key, a removed role', async () => {
  const id = await begin();
  const strict = await runWorkflowApp(url, { listen: false, recheckMs: 20 });
  const readers = await Promise.all(
    ['first', 'second', 'third'].map(async () => {
      const admin = await strict.user('admin');
      return { ...admin, ...follow(strict.url, id, { authorization: `Bearer ${admin.apiKey}` }) };
    }),
  );
  const [revoked, demoted, still] = readers as [(typeof readers)[0], (typeof readers)[0], (typeof readers)[0]];
  await waitFor('the first', () => readers.every(({ got }) => got.length === 1));
  await strict.keys.revoke(revoked.apiKey.split('.', 1)[0] ?? '', revoked.user.id);
  await sql`UPDATE users SET role = 'user' WHERE id = ${demoted.user.id}`.execute(strict.database);
  await Promise.all([revoked.done, demoted.done]);
  await start(id);
  await finish(id);
  await still.done;
  expect(readers.map(({ got }) => got.map(({ event }) => event))).toEqual([
    ['status'],
    ['status'],
    ['status', 'status', 'status', 'end'],
  ]);
  expect(strict.watch.watched).toBe(0);
  await strict.end();
});

test('requires only the scope of the workflow or agent', async () => {
  const { user, call } = await app.user('user', ['agents:read']);
  const reader = await app.keys.issue({ userId: user.id, label: 'workflows', scopes: ['workflows:read'] });
  const unrelated = await app.keys.issue({ userId: user.id, label: 'scrapers', scopes: ['scrapers'] });
  const agent = await app.database
    .insertInto('agents')
    .values({ id: 'awf_00000000000000000000', slug: 'a', name: 'a', description: '', config: '{}', ownerId: user.id })
    .returning('id')
    .executeTakeFirstOrThrow();
  const accept = async (of: object) => {
    const accepted = await app.executions.accept({
      kind: 'workflow',
      ownerId: user.id,
      triggerType: 'api',
      ...of,
    });
    if (accepted.outcome === 'conflict') throw new Error('a conflict');
    await move(accepted.id, sql`status = 'cancelled', completed_at = now()`);
    return `/api/v1/executions/${accepted.id}/events`;
  };
  const ofAgent = await accept({ kind: 'agent', agentId: agent.id });
  const ofWorkflow = await accept({ workflowId: 'wf_none', versionId: 'wfh_none' });
  expect((await call('GET', ofAgent)).text).toContain('event: end');
  expect(refusal(await call('GET', ofWorkflow)).status).toBe(403);
  expect((await app.callWith(reader.apiKey)('GET', ofWorkflow)).text).toContain('event: end');
  expect(refusal(await app.callWith(reader.apiKey)('GET', ofAgent)).status).toBe(403);
  for (const path of [ofAgent, ofWorkflow])
    expect(refusal(await app.callWith(unrelated.apiKey)('GET', path)).status).toBe(403);
});

test('returns 404 for missing and invisible executions', async () => {
  const id = await begin();
  const other = await app.user();
  expect(refusal(await other.call('GET', `/api/v1/executions/${id}/events`)).status).toBe(404);
  expect(refusal(await app.operator('GET', '/api/v1/executions/exec_none/events')).status).toBe(404);
  expect(refusal(await app.operator('GET', `/api/v1/executions/${id}/events?after=x`)).status).toBe(400);
});

test('rejects an event whose source, id or type is too long for their index, and accepts the longest that fits', async () => {
  // Random, because index entries are compressed.
  const random = (characters: number) =>
    Array.from({ length: characters }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join(
      '',
    );
  const send = (part: object) =>
    app.operator('POST', '/api/v1/events', { specversion: '1.0', id: 'a', source: 's', type: 't', ...part });
  for (const [part, field] of [
    [{ id: random(500), source: random(500) }, 'id'],
    [{ type: random(1_000) }, 'type'],
  ] as const) {
    const refused = await send(part);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('2400 bytes')]);
    expect(refused.text).toContain(`"${field}"`);
  }
  const longest = await send({ id: random(400), source: random(400), type: random(800) });
  expect(longest.status, longest.text).toBe(202);
});
