import pino from 'pino';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ruleById } from '#analytics/detections/rule-registry.ts';
import { detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { readSettings } from '#api/detections/settings/read-settings.ts';
import { createSettingsWatch } from '#api/detections/settings/settings-watch.ts';
import { type Detection, detectionSchema } from '#schemas/detection.ts';
import { detection, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { openTestLane } from '#test/support/lane-fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { runApp } from '../../running-app.ts';
import { analystsGuard, caller, serviceDeps } from '../triage/analysts.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
const base = detectionSettingsSchema.parse({
  rules: { 'stack-canary-probe': { minAborts: 60 } },
  exceptions: [{ id: 'from-file', hostname: 'ci-*', reason: 'crash tests' }],
});
const CANARY = '/api/rules/stack-canary-probe';
const logger = pino({ level: 'silent' });

beforeEach(async () => {
  await database.deleteFrom('ruleSettings').execute();
  await database.deleteFrom('detectionExceptions').execute();
});

async function standing() {
  const { url } = await runApp({
    deps: {
      clickhouse,
      rules: base,
      guard: analystsGuard(),
      changes: serviceDeps(clickhouse, database, base),
    },
  });
  const streamOf = async (path: string, body: unknown) => {
    const headers = { 'x-api-key': 'admin', 'content-type': 'application/json', accept: 'text/event-stream' };
    return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  };
  return { admin: caller(url, 'admin'), ann: caller(url, 'ann'), streamOf };
}

const thresholdOf = (rule: { thresholds: { name: string; value: unknown }[] }, name: string) =>
  rule.thresholds.find((threshold) => threshold.name === name)?.value;

describe('rules', () => {
  test('state their rationale', async () => {
    const { ann } = await standing();
    const { body } = await ann('GET', CANARY);
    expect(body.statistics).toEqual(ruleById('stack-canary-probe').statistics);
  });

  test('are changed over the rules file, and reset to it', async () => {
    const { admin, ann } = await standing();
    const before = await ann('GET', CANARY);
    expect(before.etag).toBe('"v0"');
    expect(thresholdOf(before.body, 'minAborts')).toBe(60);
    const changed = await admin('PATCH', CANARY, { enabled: false, thresholds: { minAborts: 80, window: 30 } });
    expect(changed).toMatchObject({ status: 200, etag: '"v1"', body: { enabled: false, etag: '"v1"' } });
    expect(thresholdOf(changed.body, 'minAborts')).toBe(80);
    const back = await admin('PATCH', CANARY, { enabled: null, thresholds: { minAborts: null } });
    expect(back).toMatchObject({ status: 200, etag: '"v2"', body: { enabled: true } });
    expect(thresholdOf(back.body, 'minAborts')).toBe(60);
    expect(thresholdOf(back.body, 'window')).toBe(30);
    expect(await admin('PATCH', CANARY, {})).toMatchObject({ status: 200, etag: '"v2"' });
    const { body } = await ann('GET', '/api/rules');
    expect(body.data.map(({ etag }: { etag: string }) => etag).filter((etag: string) => etag !== '"v0"')).toEqual([
      '"v2"',
    ]);
    const entries = await database
      .selectFrom('auditLog')
      .selectAll()
      .where('target', '=', 'rule:stack-canary-probe')
      .orderBy('id')
      .execute();
    expect(entries.map(({ actor, diff }) => ({ actor, diff }))).toEqual([
      {
        actor: 'key:admin',
        diff: {
          enabled: { before: true, after: false },
          minAborts: { before: 60, after: 80 },
          window: { before: 20, after: 30 },
        },
      },
      { actor: 'key:admin', diff: { enabled: { before: false, after: true }, minAborts: { before: 80, after: 60 } } },
    ]);
  });

  test('accept one of two changes of the same version', async () => {
    const { admin } = await standing();
    const { etag } = await admin('GET', CANARY);
    const answers = await Promise.all(
      [70, 71, 72].map((minAborts) => admin('PATCH', CANARY, { thresholds: { minAborts } }, { 'if-match': etag })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  test.each([
    [{ thresholds: { minAborts: 2 } }, 'thresholds.minAborts'],
    [{ thresholds: { minAborts: 3.5 } }, 'thresholds.minAborts'],
    [{ thresholds: { window: -1 } }, 'thresholds.window'],
    [{ thresholds: { minAbort: 50 } }, 'thresholds.minAbort'],
    [{ thresholds: { minAbort: null } }, 'thresholds.minAbort'],
    [{ thresholds: { enabled: true } }, 'thresholds.enabled'],
    [{ thresholds: { minAborts: '50' } }, 'thresholds.minAborts'],
    [{ enabled: 'no' }, 'enabled'],
    [{ exceptions: [] }, 'exceptions'],
  ])('reject %j, naming %s', async (body, field) => {
    const { admin } = await standing();
    expect(await admin('PATCH', CANARY, body)).toMatchObject({ status: 400, body: { issues: [{ field }] } });
  });

  test('can only be changed by administrators', async () => {
    const { ann, admin } = await standing();
    expect((await ann('PATCH', CANARY, { enabled: false })).status).toBe(403);
    expect((await ann('POST', `${CANARY}/backtest`, {})).status).toBe(403);
    expect((await admin('PATCH', '/api/rules/made-up', { enabled: false })).status).toBe(404);
  });

  test('settings that an upgrade made invalid leave the rules file in force', async () => {
    const row = { rule: 'stack-canary-probe', version: 1, changedBy: 'x', settings: '{"minAborts":1,"gone":2}' };
    await database.insertInto('ruleSettings').values(row).execute();
    const { settings, refused } = await readSettings(database, base);
    expect(refused).toEqual(['stack-canary-probe']);
    expect(settings).toEqual(base);
    const { admin } = await standing();
    const mended = await admin('PATCH', CANARY, { thresholds: { minAborts: 50 } });
    expect(mended.status).toBe(200);
    expect((await readSettings(database, base)).refused).toEqual([]);
  });
});

describe('exceptions', () => {
  let number = 0;
  const landed = async (over: Partial<Detection>) => {
    const one = detection({ id: `det_${String(++number).padStart(32, '0')}`, ...over });
    await store.landDetections([one]);
    return one.id;
  };

  test('are previewed, created from a detection in one step, listed and removed', async () => {
    const { admin, ann } = await standing();
    const id = await landed({ hostname: 'h-1', procname: 'worker' });
    await landed({ hostname: 'h-1', procname: 'worker', severity: 'critical' });
    await landed({ hostname: 'h-2', procname: 'worker' });
    const preview = await ann('POST', '/api/exceptions/preview', { detection: id });
    expect(preview).toMatchObject({
      status: 200,
      body: {
        exception: { rule: 'instruction-pointer-probe', hostname: 'h-1', program: 'worker' },
        complete: true,
        silenced: 2,
        open: 2,
      },
    });
    expect((await ann('POST', '/api/exceptions/preview', { hostname: 'h-*' })).body.silenced).toBe(3);
    const made = await admin('POST', '/api/exceptions', { detection: id, reason: 'known tests', expires: null });
    expect(made).toMatchObject({
      status: 201,
      body: { hostname: 'h-1', program: 'worker', detection: id, silenced: 2 },
    });
    const { settings } = await readSettings(database, base);
    expect(settings.exceptions.map((exception) => exception.id)).toEqual(['from-file', made.body.id]);
    const listed = await ann('GET', '/api/exceptions');
    expect(listed.body).toMatchObject({ data: [{ id: made.body.id, endedAt: null }], file: [{ id: 'from-file' }] });
    expect((await admin('DELETE', `/api/exceptions/${made.body.id}`)).status).toBe(204);
    expect((await admin('DELETE', `/api/exceptions/${made.body.id}`)).status).toBe(404);
    expect((await ann('GET', '/api/exceptions')).body.data).toEqual([]);
    const ended = await ann('GET', '/api/exceptions?ended=true');
    expect(ended.body.data).toMatchObject([
      { id: made.body.id, endedBy: 'key:admin', createdByName: null, endedByName: null },
    ]);
    // Account names are current names.
    const { id: userId } = await database
      .insertInto('users')
      .values({ username: 'exceptions-admin', email: 'exceptions-admin@example.org', passwordHash: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await database
      .updateTable('detectionExceptions')
      .set({ createdBy: `user:${userId}` })
      .execute();
    const [named] = (await ann('GET', '/api/exceptions?ended=true')).body.data;
    expect(named).toMatchObject({ createdBy: `user:${userId}`, createdByName: 'exceptions-admin' });
    const actions = await database
      .selectFrom('auditLog')
      .select('action')
      .where('target', '=', `exception:${made.body.id}`)
      .orderBy('id')
      .execute();
    expect(actions).toEqual([{ action: 'exception.create' }, { action: 'exception.delete' }]);
  });

  test('a program with a wildcard in its name does not silence others', async () => {
    const { admin } = await standing();
    const id = await landed({ hostname: '*', procname: '*' });
    const made = await admin('POST', '/api/exceptions', { detection: id, reason: 'r' });
    expect(made.body).toMatchObject({ hostname: '?', program: '?' });
  });

  test('are listed in pages', async () => {
    const { admin, ann } = await standing();
    const ids: string[] = [];
    for (const hostname of ['a', 'b', 'c'])
      ids.unshift((await admin('POST', '/api/exceptions', { hostname, reason: 'r' })).body.id);
    const first = await ann('GET', '/api/exceptions?limit=2');
    const second = await ann('GET', `/api/exceptions?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second.body.nextCursor).toBeNull();
    expect((await ann('GET', '/api/exceptions?cursor=e30')).status).toBe(400);
  });

  test('reject empty and contradictory ones', async () => {
    const { admin, ann } = await standing();
    for (const body of [
      { reason: 'r' },
      { hostname: 'x' },
      { hostname: 'x', reason: 'r', expires: 'soon' },
      { rule: 'no-such-*', reason: 'r' },
      { hostname: 'a\0b', reason: 'r' },
      { hostname: '', reason: 'r' },
    ])
      expect((await admin('POST', '/api/exceptions', body)).status).toBe(400);
    const missing = `det_${'f'.repeat(32)}`;
    expect((await admin('POST', '/api/exceptions', { detection: missing, reason: 'r' })).status).toBe(404);
    expect((await ann('POST', '/api/exceptions', { hostname: 'x', reason: 'r' })).status).toBe(403);
  });
});

test('a running process applies changes, and keeps its settings without a change', async () => {
  const watch = await createSettingsWatch({ database, base, logger }, { pauseMs: 20 });
  onTestFinished(() => watch.stop());
  const first = watch.current();
  await watch.refresh();
  expect(watch.current()).toBe(first);
  const { admin } = await standing();
  const { body } = await admin('POST', '/api/exceptions', { hostname: 'quiet', reason: 'r' });
  await waitFor('the exception', () => watch.current().exceptions.some(({ id }) => id === body.id));
  await admin('PATCH', CANARY, { enabled: false });
  await waitFor('the rule', () => watch.current().rules['stack-canary-probe']?.enabled === false);
});

test('a back-test shows the detections of a rule, and changes nothing', async () => {
  const lane = openTestLane(clickhouse, { topic: 'local.backtest', counted: true });
  const trap = (second: number, ip: number) =>
    `{"version":"V1","timestamp":"2026-03-01T00:00:${String(second).padStart(2, '0')}Z","hostname":"bt","event":{"type":"LinuxKernelTrap","level":"Info","facility":"Kern","trap":{"type":"InvalidOpcode"},"procname":"nginx","pid":${100 + second},"ip":${ip},"sp":1,"errcode":{"reason":"NoPageFound","access_type":"Read","access_mode":"User","use_of_reserved_bit":false,"instruction_fetch":false,"protection_keys_block_access":false},"file":"nginx","vmastart":4194304,"vmasize":1048576}}`;
  const texts = Array.from({ length: 12 }, (_, i) => trap(i === 0 ? 0 : 20 + i, 4194304 + 4096 + i));
  await lane.send(texts.map((text) => ({ offset: -1, key: null, value: Buffer.from(text), ingestId: '' })));
  await lane.lane.close();
  const { admin, ann, streamOf } = await standing();
  const stored = await ann('GET', '/api/detections?hostname=bt');
  const found = detectionSchema.parse(stored.body.data[0]);
  const path = '/api/rules/instruction-pointer-probe/backtest';
  const time = { from: '2026-02-20T00:00:00Z', to: '2026-03-02T00:00:00Z' };
  const off = await admin('POST', path, { enabled: false, ...time });
  expect(off).toMatchObject({
    status: 200,
    body: {
      events: 12,
      complete: true,
      from: '2026-02-20T00:00:00.000000000Z',
      current: { detections: 1, silenced: 0 },
      proposed: { detections: 0 },
      added: [],
      removed: [{ id: found.id, procname: 'nginx' }],
    },
  });
  const same = await admin('POST', path, time);
  expect(same.body).toMatchObject({
    current: { detections: 1 },
    proposed: { detections: 1 },
    added: [],
    removed: [],
    changed: [],
  });
  // A smaller window starts the episode with later evidence, so the id differs although the episode is the same.
  const later = await admin('POST', path, { thresholds: { window: 15 }, ...time });
  const [episode] = later.body.changed;
  expect(later.body).toMatchObject({ current: { detections: 1 }, proposed: { detections: 1 }, added: [], removed: [] });
  expect(later.body.changed).toHaveLength(1);
  expect(episode.before).toMatchObject([{ id: found.id }]);
  expect(episode.after).toHaveLength(1);
  expect(episode.after[0].id).not.toBe(found.id);
  const none = await admin('POST', path, { thresholds: { minDistinct: 500 }, to: '2025-01-01T00:00:00Z' });
  expect(none.body).toMatchObject({ events: 0, current: { detections: 0 } });
  expect((await admin('POST', path, { thresholds: { minDistinct: 'x' } })).status).toBe(400);
  expect((await admin('POST', path, { from: 'yesterday' })).status).toBe(400);
  expect((await ann('GET', '/api/rules/instruction-pointer-probe')).etag).toBe('"v0"');
  // The second back-test waits. The limits are tested in test/api/detections/backtest/queue.test.ts.
  const two = await Promise.all(Array.from({ length: 2 }, () => admin('POST', path, time)));
  expect(two.map(({ status }) => status)).toEqual([200, 200]);
  // A client that accepts server-sent events receives its queue position and the progress.
  const [, stream] = await Promise.all([admin('POST', path, time), streamOf(path, time)]);
  // On a slow machine, comments keep the connection alive.
  expect(stream.replaceAll(': waiting\n\n', '')).toMatch(
    /^event: position\ndata: \{"position":(?:1\}\n\nevent: position\ndata: \{"position":)?0\}\n\n(?:event: progress\ndata: \{"judged":\d+,"total":12\}\n\n)+event: result\ndata: \{"from":/,
  );
});
