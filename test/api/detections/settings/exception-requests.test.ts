import { beforeEach, expect, test } from 'vitest';
import { detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { insertExceptionRequest } from '#api/detections/tables/exception-requests.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { detection, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runApp } from '../../running-app.ts';
import { analystsGuard, caller, serviceDeps } from '../triage/analysts.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
const base = detectionSettingsSchema.parse({});
const REQUESTS = '/api/exception-requests';
const POLICY = '/api/exceptions/policy';
const DRAFT = { hostname: 'build-7', program: 'fuzzer', reason: 'a fuzzing job' };

beforeEach(async () => {
  await database.deleteFrom('exceptionRequests').execute();
  await database.deleteFrom('detectionExceptions').execute();
  await database.updateTable('exceptionPolicy').set({ analysts: 'request' }).execute();
});

async function standing() {
  const guard = analystsGuard();
  const changes = serviceDeps(clickhouse, database, base);
  const { url } = await runApp({ deps: { clickhouse, rules: base, guard, changes } });
  const of = (key: string) => caller(url, key);
  return { ann: of('ann'), bob: of('bob'), reader: of('reader'), admin: of('admin') };
}

test('an analyst requests an exception; an administrator approves it with a reason, and it silences', async () => {
  const { ann, admin } = await standing();
  const id = `det_${'7'.repeat(32)}`;
  await store.landDetections([detection({ id, hostname: 'build-7', procname: 'fuzzer' })]);
  expect(await ann('GET', POLICY)).toMatchObject({
    body: { analysts: 'request', mayCreate: false, mayDecide: false },
  });
  expect(await ann('POST', '/api/exceptions', DRAFT)).toMatchObject({
    status: 403,
    body: { issues: [{ code: 'request_required' }], hint: expect.stringContaining(REQUESTS) },
  });
  const requested = await ann('POST', REQUESTS, { detection: id, reason: 'a fuzzing job' });
  expect(requested).toMatchObject({
    status: 201,
    body: { hostname: 'build-7', program: 'fuzzer', state: 'open', own: true, requesterName: 'ann', detection: id },
  });
  expect((await ann('GET', '/api/exceptions')).body.data).toEqual([]);
  expect((await ann('GET', REQUESTS)).body).toMatchObject({ open: 1, waiting: 0 });
  expect((await admin('GET', `${REQUESTS}?state=open`)).body).toMatchObject({
    open: 1,
    waiting: 1,
    data: [{ id: requested.body.id, own: false }],
  });

  const path = `${REQUESTS}/${requested.body.id}`;
  expect((await ann('POST', `${path}/approve`, { reason: 'mine' })).status).toBe(403);
  expect((await admin('POST', `${path}/approve`, {})).status).toBe(400);
  const approved = await admin('POST', `${path}/approve`, { reason: 'known job' });
  expect(approved).toMatchObject({
    status: 200,
    body: { state: 'approved', decidedByName: 'admin', decisionReason: 'known job', silenced: 1 },
  });
  const { data } = (await ann('GET', '/api/exceptions')).body;
  expect(data).toMatchObject([
    { id: approved.body.exception, request: requested.body.id, reason: 'a fuzzing job', detection: id },
  ]);
  expect((await admin('POST', `${path}/reject`, { reason: 'late' })).status).toBe(409);
  expect((await ann('GET', REQUESTS)).body).toMatchObject({ open: 0, data: [{ state: 'approved' }] });

  const entries = await database
    .selectFrom('auditLog')
    .select(['actor', 'action'])
    .where('target', 'in', [`exception-request:${requested.body.id}`, `exception:${approved.body.exception}`])
    .orderBy('id')
    .execute();
  expect(entries).toEqual([
    { actor: 'key:ann', action: 'exception-request.create' },
    { actor: 'key:admin', action: 'exception.create' },
    { actor: 'key:admin', action: 'exception-request.approve' },
  ]);
});

test('no account decides about its own request, and one of two concurrent decisions counts', async () => {
  const { ann, bob, admin } = await standing();
  const own = await admin('POST', REQUESTS, DRAFT);
  for (const decision of ['approve', 'reject'])
    expect(await admin('POST', `${REQUESTS}/${own.body.id}/${decision}`, { reason: 'r' })).toMatchObject({
      status: 403,
      body: { issues: [{ code: 'own_request' }] },
    });
  expect((await admin('GET', REQUESTS)).body).toMatchObject({ open: 1, waiting: 0 });

  const { id } = (await ann('POST', REQUESTS, DRAFT)).body;
  const decisions = await Promise.all(
    ['approve', 'reject', 'approve'].map((decision) => admin('POST', `${REQUESTS}/${id}/${decision}`, { reason: 'r' })),
  );
  expect(decisions.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const [{ state } = { state: '' }] = (await ann('GET', `${REQUESTS}?limit=1`)).body.data;
  expect((await ann('GET', '/api/exceptions')).body.data).toHaveLength(state === 'approved' ? 1 : 0);

  const withdrawn = (await ann('POST', REQUESTS, DRAFT)).body.id;
  expect((await bob('DELETE', `${REQUESTS}/${withdrawn}`)).status).toBe(403);
  expect((await ann('DELETE', `${REQUESTS}/${withdrawn}`)).status).toBe(204);
  expect((await ann('DELETE', `${REQUESTS}/${withdrawn}`)).status).toBe(409);
  expect((await admin('POST', `${REQUESTS}/exr_${'0'.repeat(32)}/approve`, { reason: 'r' })).status).toBe(404);
});

test('an administrator lets analysts create exceptions, and the change is audited', async () => {
  const { ann, reader, admin } = await standing();
  const { etag } = await admin('GET', POLICY);
  expect((await ann('PATCH', POLICY, { analysts: 'create' })).status).toBe(403);
  expect((await admin('PATCH', POLICY, { analysts: 'anyone' })).status).toBe(400);
  const changed = await admin('PATCH', POLICY, { analysts: 'create' }, { 'if-match': etag });
  expect(changed).toMatchObject({ status: 200, body: { analysts: 'create', changedBy: 'key:admin' } });
  expect((await admin('PATCH', POLICY, { analysts: 'request' }, { 'if-match': etag })).status).toBe(412);
  expect((await ann('GET', POLICY)).body).toMatchObject({ mayCreate: true, mayDecide: false });
  expect((await reader('GET', POLICY)).body).toMatchObject({ mayCreate: false });
  expect(await ann('POST', '/api/exceptions', DRAFT)).toMatchObject({ status: 201, body: { createdBy: 'key:ann' } });
  expect((await reader('POST', '/api/exceptions', DRAFT)).status).toBe(403);
  const entry = await database
    .selectFrom('auditLog')
    .select(['action', 'diff'])
    .where('target', '=', 'exception-policy')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  expect(entry).toEqual({
    action: 'exception-policy.update',
    diff: { analysts: { before: 'request', after: 'create' } },
  });
});

test('requests are listed in pages, and an invalid one is rejected like an invalid exception', async () => {
  const { ann, reader } = await standing();
  const ids: string[] = [];
  for (const hostname of ['a', 'b', 'c']) ids.unshift((await ann('POST', REQUESTS, { ...DRAFT, hostname })).body.id);
  const first = await ann('GET', `${REQUESTS}?limit=2`);
  const second = await ann('GET', `${REQUESTS}?limit=2&cursor=${first.body.nextCursor}`);
  expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)).toEqual(ids);
  for (const body of [{ reason: 'r' }, { hostname: 'x' }, { rule: 'no-such-*', reason: 'r' }])
    expect((await ann('POST', REQUESTS, body)).status).toBe(400);
  expect((await ann('POST', REQUESTS, { detection: `det_${'f'.repeat(32)}`, reason: 'r' })).status).toBe(404);
  expect((await reader('POST', REQUESTS, DRAFT)).status).toBe(403);
});

test('pages include all requests of the same instant', async () => {
  const { ann } = await standing();
  const ids = ['a', 'b', 'c'].map((letter) => `exr_${letter.repeat(32)}`);
  await inTransaction(database, async (transaction) => {
    for (const id of ids)
      await insertExceptionRequest(transaction, {
        ...{ id, hostname: id, program: null, file: null, rule: null, expires: null, reason: 'r', detectionId: null },
        ...{ requestedBy: 'operator', requester: 'operator', requesterName: null },
      });
  });
  const found: string[] = [];
  for (let cursor = ''; found.length < ids.length; ) {
    const { body } = await ann('GET', `${REQUESTS}?limit=1${cursor}`);
    expect(body.data).toHaveLength(1);
    found.push(body.data[0].id);
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(found).toEqual(ids.toReversed());
});
