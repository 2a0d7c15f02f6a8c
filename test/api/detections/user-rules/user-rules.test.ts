import pino from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_DETECTION_SETTINGS, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { readSettings } from '#api/detections/settings/read-settings.ts';
import { createSettingsWatch } from '#api/detections/settings/settings-watch.ts';
import { inGroups } from '#api/detections/user-rules/change-user-rules.ts';
import { useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { single } from '#test/analytics/detections/user-rules/rules.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { runApp } from '../../running-app.ts';
import { analystsGuard, caller, serviceDeps } from '../triage/analysts.ts';

const { clickhouse } = await useDatabase();
const { database } = await usePostgres();
const base = DEFAULT_DETECTION_SETTINGS;
const RULE = '/api/user-rules/user-a-rule';
const nginx = single('s: { procname: nginx }\ncondition: s');
const sshd = single('s: { procname: sshd }\ncondition: s', 'level: high\n');

beforeEach(async () => {
  await database.updateTable('userRules').set({ enabled: false }).execute();
});

async function standing(rules = base) {
  const { url } = await runApp({
    deps: { clickhouse, rules, guard: analystsGuard(), changes: serviceDeps(clickhouse, database, rules) },
  });
  return { admin: caller(url, 'admin'), ann: caller(url, 'ann') };
}

test('each push creates a version with its hash in the audit log, and old versions stay', async () => {
  const { admin, ann } = await standing();
  const first = await admin('POST', '/api/user-rules', { source: nginx });
  expect(first).toMatchObject({
    status: 200,
    body: { id: 'user-a-rule', version: 1, outcome: 'created', enabled: true },
  });
  expect(await admin('POST', '/api/user-rules', { source: nginx })).toMatchObject({
    body: { version: 1, outcome: 'unchanged' },
  });
  const second = await admin('POST', '/api/user-rules', { source: sshd });
  expect(second.body).toMatchObject({ version: 2, outcome: 'updated', severity: 'high' });
  const got = await ann('GET', RULE);
  expect(got.body).toMatchObject({
    source: sshd,
    version: 2,
    versions: [{ version: 2 }, { version: 1, pushedBy: 'key:admin' }],
    refusal: null,
  });
  expect((await ann('GET', `${RULE}?version=1`)).body.source).toBe(nginx);
  expect((await ann('GET', '/api/user-rules')).body.data).toMatchObject([{ id: 'user-a-rule', version: 2 }]);
  const entries = await database
    .selectFrom('auditLog')
    .selectAll()
    .where('target', '=', 'rule:user-a-rule')
    .orderBy('id')
    .execute();
  expect(entries.map(({ actor, action, diff }) => ({ actor, action, diff }))).toEqual([
    {
      actor: 'key:admin',
      action: 'user-rule.push',
      diff: { version: { before: null, after: 1 }, sha256: { before: null, after: inGroups(first.body.sha256) } },
    },
    {
      actor: 'key:admin',
      action: 'user-rule.push',
      diff: {
        version: { before: 1, after: 2 },
        sha256: { before: inGroups(first.body.sha256), after: inGroups(second.body.sha256) },
      },
    },
  ]);
  await expect(database.updateTable('userRuleVersions').set({ source: 'x' }).execute()).rejects.toThrow('append-only');
  await expect(database.deleteFrom('userRuleVersions').execute()).rejects.toThrow('append-only');
});

test('a pushed rule is in the catalogue, which its detections link to', async () => {
  const { admin, ann } = await standing();
  const source = single('s: { procname: nginx }\ncondition: s', 'level: high\ndescription: Crashes of nginx\n');
  const { body } = await admin('POST', '/api/user-rules', { source: source.replace('a_rule', 'listed') });
  const listed = {
    id: 'user-listed',
    name: 'A rule',
    version: 1,
    severity: 'high',
    summary: 'Crashes of nginx',
    enabled: true,
    origin: 'user',
    author: 'key:admin',
    thresholds: [],
  };
  expect(body.id).toBe(listed.id);
  const { data } = (await ann('GET', '/api/rules')).body;
  expect(data.find(({ id }: { id: string }) => id === listed.id)).toMatchObject(listed);
  expect(data[0]).toMatchObject({ origin: 'built-in', author: null });
  expect((await ann('GET', '/api/rules/user-listed')).body).toMatchObject(listed);
  expect((await ann('GET', '/api/rules/user-missing')).status).toBe(404);
  await admin('PATCH', '/api/user-rules/user-listed', { enabled: false });
  expect((await ann('GET', '/api/rules/user-listed')).body).toMatchObject({ ...listed, enabled: false });
});

test('unreadable rules of the rules file have ids by their positions', async () => {
  const userRules = ['not a rule', nginx.replace('a_rule', 'readable'), 'title: ['].map((source) => ({
    source,
    version: 1,
  }));
  const { ann } = await standing({ ...base, userRules });
  const { data } = (await ann('GET', '/api/rules')).body;
  const ofFile = data.filter(({ origin, author }: Record<string, unknown>) => origin === 'user' && author === null);
  expect(ofFile.map(({ id }: { id: string }) => id)).toEqual([
    'user-unreadable-1',
    'user-readable',
    'user-unreadable-3',
  ]);
  expect((await ann('GET', '/api/rules/user-unreadable-3')).body).toMatchObject({
    id: 'user-unreadable-3',
    enabled: false,
    summary: ofFile[2].summary,
  });
});

test('a rejected rule changes nothing, with line and reason', async () => {
  const { admin, ann } = await standing();
  const refused = await admin('POST', '/api/user-rules', {
    source: nginx.replace('condition: s', 'condition: s | count() > 3'),
  });
  expect(refused).toMatchObject({ status: 400 });
  expect(JSON.stringify(refused.body)).toContain('line 8: detection.condition: aggregations after');
  const failing = `${nginx}tests:\n  - { name: other, events: [{ procname: b }], detections: 1 }\n`;
  const answer = await admin('POST', '/api/user-rules', { source: failing });
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain('expects 1 detections and finds 0');
  expect((await ann('POST', '/api/user-rules', { source: nginx })).status).toBe(403);
  expect((await ann('PATCH', RULE, { enabled: true })).status).toBe(403);
  expect((await ann('GET', '/api/user-rules/user-unknown')).status).toBe(404);
  expect((await admin('PATCH', '/api/rules/user-a-rule', { enabled: false })).status).toBe(400);
});

test('a running process applies a pushed rule, and removes a disabled one', async () => {
  const { admin } = await standing();
  const logger = pino({ level: 'silent' });
  const watch = await createSettingsWatch({ database, base, logger }, { pauseMs: 20 });
  onTestFinished(() => watch.stop());
  expect(watch.current().userRules).toEqual([]);
  const source = nginx.replace('a_rule', 'watched');
  await admin('POST', '/api/user-rules', { source });
  await waitFor('the rule', () => watch.current().userRules.length === 1);
  expect(watch.current().userRules).toEqual([{ source, version: 1 }]);
  expect(detectionSettingsSchema.safeParse(watch.current()).success).toBe(true);
  expect(await admin('PATCH', '/api/user-rules/user-watched', { enabled: false })).toMatchObject({
    status: 200,
    body: { enabled: false },
  });
  await waitFor('no rule', () => watch.current().userRules.length === 0);
});

test('skips a rule that this version rejects, with its name', async () => {
  await database
    .insertInto('userRules')
    .values({ id: 'user-older', version: 1, revision: 1, enabled: true, changedBy: 'system' })
    .execute();
  await database
    .insertInto('userRuleVersions')
    .values({ rule: 'user-older', version: 1, source: 'title: x', sha256: '0'.repeat(64), pushedBy: 'system' })
    .execute();
  expect(await readSettings(database, base)).toMatchObject({
    refusedUserRules: ['user-older'],
    settings: { userRules: [] },
  });
});
