import pino from 'pino';
import { expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createDecisionChanges } from '#api/detections/triage/change-decisions.ts';
import { landDecisions, startLandingDecisions } from '#api/detections/triage/land-decisions.ts';
import { type Detection, detectionSchema } from '#schemas/detection.ts';
import { detection, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { examine } from '../../description.ts';
import { ADMIN_KEY, runApp } from '../../running-app.ts';
import { addAccounts, analystsGuard, caller, serviceDeps } from './analysts.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
await addAccounts(database);
const logger = pino({ level: 'silent' });

let number = 0;
async function landed(over: Partial<Detection> = {}): Promise<string> {
  const one = detection({ id: `det_${String(++number).padStart(32, '0')}`, ...over });
  await store.landDetections([one]);
  return one.id;
}

async function standing() {
  const { url } = await runApp({
    deps: { clickhouse, guard: analystsGuard(), changes: serviceDeps(clickhouse, database) },
  });
  return { url, ann: caller(url, 'ann'), bob: caller(url, 'bob'), reader: caller(url, 'reader') };
}

test('a decision is returned, listed, kept in the history and audited', async () => {
  const { ann } = await standing();
  const id = await landed({ hostname: 'decided-1' });
  const before = await ann('GET', `/api/detections/${id}`);
  expect(before).toMatchObject({ status: 200, etag: '"v0"', body: { status: 'new' } });
  const change = { status: 'acknowledged', assignee: 'annabel', note: 'looks like CVE-2026-1' };
  const changed = await ann('PATCH', `/api/detections/${id}`, change);
  expect(changed.status).toBe(200);
  expect(changed.etag).toBe('"v1"');
  const { event: _, ...detectionNow } = detectionSchema.parse(changed.body);
  expect(detectionNow).toMatchObject({ ...change, assignee: 'Annabel', verdict: null });
  expect((await ann('GET', `/api/detections/${id}`)).body).toMatchObject(detectionNow);
  const listed = await ann('GET', '/api/detections?hostname=decided-1&status=acknowledged');
  expect(listed.body.data).toMatchObject([{ id, note: change.note }]);

  await ann('PATCH', `/api/detections/${id}`, { verdict: 'true_positive', note: null, status: 'acknowledged' });
  const { body: history } = await ann('GET', `/api/detections/${id}/history`);
  expect(history.data).toMatchObject([
    {
      version: 2,
      actor: 'key:ann',
      username: 'ann',
      before: { verdict: null, note: change.note },
      after: { verdict: 'true_positive', note: null },
    },
    { version: 1, before: { status: 'new', assignee: null, note: null }, after: { ...change, assignee: 'Annabel' } },
  ]);
  expect(Object.keys(history.data[0].before)).toEqual(['verdict', 'note']);
  const entries = await database
    .selectFrom('auditLog')
    .selectAll()
    .where('target', '=', `detection:${id}`)
    .orderBy('id')
    .execute();
  expect(entries.map(({ action, actor }) => [action, actor])).toEqual([
    ['detection.update', 'key:ann'],
    ['detection.update', 'key:ann'],
  ]);
  expect(entries[1]?.diff).toEqual({
    verdict: { before: null, after: 'true_positive' },
    note: { before: change.note, after: null },
  });
});

test('the history has pages', async () => {
  const { ann } = await standing();
  const id = await landed();
  for (const note of ['a', 'b', 'c']) await ann('PATCH', `/api/detections/${id}`, { note });
  const first = await ann('GET', `/api/detections/${id}/history?limit=2`);
  expect(first.body.data.map(({ version }: { version: number }) => version)).toEqual([3, 2]);
  const second = await ann('GET', `/api/detections/${id}/history?limit=2&cursor=${first.body.nextCursor}`);
  expect(second.body).toMatchObject({ data: [{ version: 1 }], nextCursor: null });
});

test('of two analysts who edit the same version, the second gets 412', async () => {
  const { ann, bob } = await standing();
  const id = await landed();
  const { etag } = await ann('GET', `/api/detections/${id}`);
  const answers = await Promise.all(
    [
      [ann, 'closed'] as const,
      [bob, 'acknowledged'] as const,
      [ann, 'acknowledged'] as const,
      [bob, 'closed'] as const,
    ].map(([who, status]) => who('PATCH', `/api/detections/${id}`, { status, note: status }, { 'if-match': etag })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  const refused = answers.find(({ status }) => status === 412);
  expect(refused?.body).toMatchObject({ issues: [{ code: 'precondition_failed', field: 'if-match' }] });
  const won = answers.find(({ status }) => status === 200);
  expect((await ann('GET', `/api/detections/${id}`)).body.status).toBe(won?.body.status);
  expect((await ann('GET', `/api/detections/${id}/history`)).body.data).toHaveLength(1);
  // Growth alone does not cause a conflict.
  const now = await ann('GET', `/api/detections/${id}`);
  await store.landDetections([detection({ id, revision: 9, crashes: 99 })]);
  const grown = await bob('PATCH', `/api/detections/${id}`, { verdict: 'benign' }, { 'if-match': `"x", ${now.etag}` });
  expect(grown).toMatchObject({ status: 200, body: { revision: 9, verdict: 'benign' } });
});

test('concurrent changes of different fields both apply', async () => {
  const { ann, bob } = await standing();
  const id = await landed();
  await Promise.all([
    ann('PATCH', `/api/detections/${id}`, { note: 'from ann' }),
    bob('PATCH', `/api/detections/${id}`, { verdict: 'benign' }),
  ]);
  expect((await ann('GET', `/api/detections/${id}`)).body).toMatchObject({ note: 'from ann', verdict: 'benign' });
  const { body } = await ann('GET', `/api/detections?detection=${id}`);
  expect(body.data).toMatchObject([{ note: 'from ann', verdict: 'benign' }]);
});

test('a bulk change returns the outcome of each detection', async () => {
  const { ann, bob } = await standing();
  const [first, second, third] = [await landed(), await landed(), await landed()];
  await bob('PATCH', `/api/detections/${second}`, { note: 'mine' });
  await bob('PATCH', `/api/detections/${third}`, { status: 'closed' });
  const missing = `det_${'f'.repeat(32)}`;
  const { status, body } = await ann('POST', '/api/detections/bulk', {
    detections: [{ id: third }, { id: second, etag: '"v0"' }, { id: missing }, { id: first, etag: '"v0"' }],
    change: { status: 'closed' },
  });
  expect(status).toBe(200);
  expect(body.results).toEqual([
    { id: third, outcome: 'unchanged', etag: '"v1"' },
    { id: second, outcome: 'changed_meanwhile', etag: '"v1"' },
    { id: missing, outcome: 'not_found', etag: null },
    { id: first, outcome: 'updated', etag: '"v1"' },
  ]);
  const twice = await ann('POST', '/api/detections/bulk', {
    detections: [{ id: first }, { id: first }],
    change: { status: 'new' },
  });
  expect(twice.status).toBe(400);
});

test('a bulk change skips detections that changed since they were listed', async () => {
  const { ann, bob } = await standing();
  const ids = [await landed(), await landed(), await landed()];
  const { body: list } = await ann('GET', '/api/detections?limit=1000');
  const detections = (list.data as Detection[])
    .filter(({ id }) => ids.includes(id))
    .map(({ id, status, verdict, assignee, note }) => ({ id, seen: { status, verdict, assignee, note } }));
  expect(detections).toHaveLength(3);
  await bob('PATCH', `/api/detections/${ids[1]}`, { status: 'closed', verdict: 'true_positive', note: 'an attack' });
  const change = { status: 'closed', verdict: 'benign', note: 'all the same' };
  const { body } = await ann('POST', '/api/detections/bulk', { detections, change });
  const outcomes = Object.fromEntries(body.results.map(({ id, outcome }: Record<string, string>) => [id, outcome]));
  expect(ids.map((id) => outcomes[id])).toEqual(['updated', 'changed_meanwhile', 'updated']);
  expect((await ann('GET', `/api/detections/${ids[1]}`)).body).toMatchObject({
    verdict: 'true_positive',
    note: 'an attack',
  });
  const again = { detections: [{ id: ids[1], seen: { verdict: 'true_positive' } }], change };
  expect((await ann('POST', '/api/detections/bulk', again)).body.results).toMatchObject([{ outcome: 'updated' }]);
});

/** Reads the filtered list and changes every item, page by page. */
async function changeAll(who: ReturnType<typeof caller>, body: object) {
  const results: { id: string; outcome: string; etag: string | null }[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const answer = await who('POST', '/api/detections/bulk', { ...body, limit: 2, ...(cursor && { cursor }) });
    expect(answer.status).toBe(200);
    results.push(...answer.body.results);
    cursor = answer.body.nextCursor ?? undefined;
  }
  return results;
}

test('changes all detections that match a filter in pages, without those that arrived after they were counted', async () => {
  const { ann, bob } = await standing();
  const hostname = 'filtered-1';
  const ids = [await landed({ hostname }), await landed({ hostname }), await landed({ hostname })];
  const closed = await landed({ hostname });
  await bob('PATCH', `/api/detections/${closed}`, { status: 'closed' });
  const filter = { hostname, status: 'new,acknowledged' };
  const { body: counted } = await ann('GET', `/api/detections/count?hostname=${hostname}&status=new,acknowledged`);
  expect(counted).toMatchObject({ detections: 3 });
  const later = await landed({ hostname });
  const change = { status: 'closed', verdict: 'benign' };
  const results = await changeAll(ann, { filter, asOf: counted.asOf, change });
  expect(results.map(({ id, outcome }) => [id, outcome]).sort()).toEqual(ids.map((id) => [id, 'updated']));
  expect((await ann('GET', `/api/detections/${later}`)).body).toMatchObject({ status: 'new' });
  expect((await ann('GET', `/api/detections/${closed}`)).body).toMatchObject({ verdict: null });
  expect((await changeAll(ann, { filter, change })).map(({ id }) => id)).toEqual([later]);
});

test('undoes a change as a whole, unless another one was made since', async () => {
  const { ann, bob } = await standing();
  const [first, second] = [await landed(), await landed()];
  await ann('PATCH', `/api/detections/${first}`, { status: 'acknowledged', assignee: 'Annabel', note: 'to be seen' });
  const change = { status: 'closed', verdict: 'false_positive', assignee: null, note: 'a drill' };
  const { body } = await ann('POST', '/api/detections/bulk', { detections: [{ id: first }, { id: second }], change });
  const undo = { detections: body.results.map(({ id, etag }: { id: string; etag: string }) => ({ id, etag })) };
  await bob('PATCH', `/api/detections/${second}`, { note: 'no drill' });
  const undone = await ann('POST', '/api/detections/undo', undo);
  expect(undone.body.results).toEqual([
    { id: first, outcome: 'updated', etag: '"v3"' },
    { id: second, outcome: 'changed_meanwhile', etag: '"v2"' },
  ]);
  expect((await ann('GET', `/api/detections/${first}`)).body).toMatchObject({
    ...{ status: 'acknowledged', verdict: null, assignee: 'Annabel', note: 'to be seen' },
  });
  expect((await ann('GET', `/api/detections/${second}`)).body).toMatchObject({ status: 'closed', note: 'no drill' });
  const { body: history } = await ann('GET', `/api/detections/${first}/history`);
  expect(history.data[0]).toMatchObject({
    version: 3,
    before: change,
    after: { status: 'acknowledged', verdict: null, assignee: 'Annabel', note: 'to be seen' },
  });
  expect((await ann('POST', '/api/detections/undo', undo)).body.results[0]).toMatchObject({
    outcome: 'changed_meanwhile',
  });
  const never = await landed();
  const { body: nothing } = await ann('POST', '/api/detections/undo', { detections: [{ id: never, etag: '"v0"' }] });
  expect(nothing.results).toEqual([{ id: never, outcome: 'unchanged', etag: '"v0"' }]);
  for (const etag of ['*', '"v2", "v3"'])
    expect((await ann('POST', '/api/detections/undo', { detections: [{ id: second, etag }] })).status).toBe(400);
});

test('concurrent bulk changes of the same detections in opposite order do not deadlock', async () => {
  const { ann, bob } = await standing();
  const ids = await Promise.all(Array.from({ length: 20 }, () => landed()));
  const bulk = (who: typeof ann, order: readonly string[], note: string) =>
    who('POST', '/api/detections/bulk', { detections: order.map((id) => ({ id })), change: { note } });
  const answers = await Promise.all([bulk(ann, ids, 'ann'), bulk(bob, ids.toReversed(), 'bob')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { body } = await ann('GET', `/api/detections?limit=1000`);
  const notes = body.data.filter(({ id }: Detection) => ids.includes(id)).map(({ note }: Detection) => note);
  expect(new Set(notes).size).toBe(1);
});

test('rejects forbidden and contradictory changes', async () => {
  const { ann, reader } = await standing();
  const id = await landed();
  const path = `/api/detections/${id}`;
  expect((await reader('PATCH', path, { note: 'x' })).status).toBe(403);
  expect((await reader('POST', '/api/detections/bulk', {})).status).toBe(403);
  expect((await reader('POST', '/api/detections/undo', {})).status).toBe(403);
  for (const body of [
    { change: { note: 'x' } },
    { detections: [{ id }], filter: {}, change: { note: 'x' } },
    { detections: [{ id }], cursor: 'x', change: { note: 'x' } },
    { detections: [{ id }], asOf: '2026-01-01T00:00:00Z', change: { note: 'x' } },
    { filter: { hostnme: 'x' }, change: { note: 'x' } },
    { filter: {}, cursor: 'x', change: { note: 'x' } },
  ])
    expect((await ann('POST', '/api/detections/bulk', body)).status, JSON.stringify(body)).toBe(400);
  expect((await ann('PATCH', `/api/detections/det_${'e'.repeat(32)}`, { note: 'x' })).status).toBe(404);
  expect((await ann('GET', `/api/detections/det_${'e'.repeat(32)}/history`)).status).toBe(404);
  expect((await ann('GET', `${path}/history`)).body).toEqual({ data: [], limit: 100, nextCursor: null });
  for (const change of [
    {},
    { status: 'done' },
    { severity: 'low' },
    { note: 'a\0b' },
    { note: 'x'.repeat(4001) },
    { assignee: 'unknown-user' },
    { assignee: 'plain-user' },
    { assignee: 'gone-one' },
  ])
    expect((await ann('PATCH', path, change)).status).toBe(400);
});

test('a decision made while ClickHouse is unavailable appears in lists later', async () => {
  const id = await landed();
  const away = createClickHouse({ url: 'http://127.0.0.1:1', user: 'none', password: '', database: 'none' });
  const broken = { ...clickhouse, insert: away.insert };
  const change = createDecisionChanges({ clickhouse: broken, database, audit: createAudit(), logger });
  const by = { actor: 'key:ann', username: 'ann', origin: { ip: '', userAgent: '', requestId: 'r' } };
  expect(await change([{ id }], { status: 'closed' }, by)).toMatchObject([{ outcome: 'updated' }]);
  await expect(landDecisions({ clickhouse: broken, database })).rejects.toThrow();
  const { ann } = await standing();
  expect((await ann('GET', `/api/detections/${id}`)).body.status).toBe('closed');
  const landing = startLandingDecisions({ clickhouse, database, logger }, { pauseMs: 20 });
  await waitFor('the decision', async () => {
    const { body } = await ann('GET', `/api/detections?detection=${id}`);
    return body.data[0].status === 'closed';
  });
  await landing.stop();
});

test('the routes are described', async () => {
  const { url } = await standing();
  const response = await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
  expect(examine((await response.json()) as Parameters<typeof examine>[0]).wrong).toEqual([]);
});
