import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { AUDIT_ACTIONS, type CommittedAuditEntry } from '#api/audit/port.ts';
import { SECURITY_EVENTS, type SecurityEventKind } from '#api/http/security-events.ts';
import type { SecurityIncident } from '#api/telemetry/siem/port.ts';
import { openSiem } from '#api/telemetry/siem/siem.ts';
import { detection, tampering } from '#test/analytics/formats/samples.ts';
import { requestRecord } from '#test/api/telemetry/api-log/request-records.ts';

const logger = pino({ level: 'silent' });
const origin = { ip: '203.0.113.9', userAgent: 'curl/8', requestId: 'request-1' };

const entry = (over: Partial<CommittedAuditEntry> = {}): CommittedAuditEntry => ({
  id: 7,
  at: new Date('2026-02-02T02:40:00.123Z'),
  actor: 'user:u-1',
  target: 'user:u-2',
  action: 'user.update',
  diff: { role: { before: 'user', after: 'admin' } },
  origin,
  hash: 'ab'.repeat(32),
  ...over,
});

const incident = (kind: SecurityEventKind, over: Partial<SecurityIncident> = {}): SecurityIncident => ({
  id: 'sec_1',
  kind,
  origin,
  actor: 'anonymous',
  subject: '/api/admin/users',
  count: 12,
  targets: 3,
  firstAt: new Date('2026-02-02T02:40:00.000Z'),
  lastAt: new Date('2026-02-02T02:41:00.000Z'),
  ...over,
});

async function written(fill: (siem: Awaited<ReturnType<typeof openSiem>>) => void) {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-siem-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const file = path.join(home, 'siem.ndjson');
  const siem = await openSiem({ registry: new Registry(), logger }, { path: file });
  fill(siem);
  await siem.close();
  const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('an audit entry has actor, action and target', async () => {
  const [record] = await written((siem) => siem.audit(entry()));
  expect(record).toMatchObject({
    _type: 'audit',
    '@timestamp': '2026-02-02T02:40:00.123Z',
    ecs: { version: '9.4.0' },
    event: { kind: 'event', category: ['iam'], action: 'user.update', id: '7', dataset: 'trapline.audit' },
    user: { id: 'u-1', target: { id: 'u-2' } },
    source: { ip: '203.0.113.9' },
    http: { request: { id: 'request-1' } },
    trapline: { audit: { diff: '{"role":{"before":"user","after":"admin"}}' } },
  });
});

test('a change of a key names its owner as the affected account', async () => {
  const change = { target: 'key:k1', actor: 'user:admin-1' } as const;
  const records = await written((siem) => {
    siem.audit(entry({ ...change, action: 'key.create', diff: { owner: { after: 'user:owner-1' } } }));
    siem.audit(
      entry({ ...change, action: 'key.revoke', diff: { owner: { before: 'user:owner-1', after: 'user:owner-1' } } }),
    );
  });
  for (const record of records)
    expect(record).toMatchObject({
      user: { id: 'admin-1', target: { id: 'owner-1' } },
      related: { user: ['admin-1', 'owner-1'] },
    });
  expect(records).toHaveLength(2);
});

test('every action of the audit log has a record of one line', async () => {
  const records = await written((siem) => {
    for (const action of AUDIT_ACTIONS) siem.audit(entry({ action, actor: 'system', origin: { ...origin, ip: '' } }));
  });
  expect(records.map(({ event }) => (event as { action: string }).action)).toEqual([...AUDIT_ACTIONS]);
});

test('a request record has route, caller and outcome', async () => {
  const [record] = await written((siem) =>
    siem.request(requestRecord({ status: 503, keyId: 'k1', actor: 'key:k1', scraper: 'codehost-user', cache: 'miss' })),
  );
  expect(record).toMatchObject({
    _type: 'apilog',
    event: { category: ['web'], type: ['access', 'error'], outcome: 'failure', duration: 1_500_000 },
    http: { request: { method: 'GET' }, response: { status_code: 503, bytes: 321 } },
    url: { path: '/api/user/data' },
    trapline: { api: { route: '/api/user/data', actor: 'key:k1', key_id: 'k1', scraper: 'codehost-user' } },
  });
});

test.each(Object.keys(SECURITY_EVENTS) as SecurityEventKind[])('abuse of kind %s has its technique', async (kind) => {
  const [record] = await written((siem) => siem.security(incident(kind)));
  const { technique } = SECURITY_EVENTS[kind];
  expect(record).toMatchObject({
    _type: 'security',
    event: { kind: 'alert', action: kind, id: 'sec_1' },
    threat: {
      framework: 'MITRE ATT&CK',
      tactic: { id: [expect.stringMatching(/^TA\d{4}$/)] },
      technique: { id: [technique.slice(0, 5)] },
    },
    trapline: { security: { count: 12 } },
  });
  if (technique.includes('.'))
    expect(record).toMatchObject({ threat: { technique: { subtechnique: { id: [technique] } } } });
});

test('a detection is an alert record', async () => {
  const records = await written((siem) => {
    siem.detection(detection);
    siem.detection(tampering);
  });
  expect(records).toMatchObject([
    { _type: 'security', event: { kind: 'alert', dataset: 'trapline.detection', id: detection.id } },
    { _type: 'security', event: { kind: 'alert', dataset: 'trapline.detection' } },
  ]);
});

test('a line break in a value does not end a line', async () => {
  const records = await written((siem) =>
    siem.request(requestRecord({ userAgent: 'a\n{"_type":"audit"}\r\n\u2028b', path: '/x\ny' })),
  );
  expect(records).toHaveLength(1);
});

test('counts failures without delaying callers', async () => {
  const registry = new Registry();
  const siem = await openSiem({ registry, logger }, { path: '/dev/full' });
  for (let i = 0; i < 10; i++) siem.request(requestRecord());
  await siem.close();
  expect(await registry.metrics()).toContain('trapline_siem_write_failures_total 10');
});

test('writes nothing without a file, and still exports the counter of failures', async () => {
  const registry = new Registry();
  const siem = await openSiem({ registry, logger }, undefined);
  siem.request(requestRecord());
  await siem.close();
  expect(await registry.metrics()).toContain('trapline_siem_write_failures_total 0');
});
